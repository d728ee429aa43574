import { RecapdError } from '../errors.ts'

const SLOT = /\{\{([^{}]*)\}\}/g

/** Slots a template holds, in order of appearance, duplicates included. */
export function slotsOf(template: string): string[] {
  return Array.from(template.matchAll(SLOT), (match) => (match[1] ?? '').trim())
}

/**
 * Puts values into the `{{slots}}` of a template. One pass over the template alone: values are never looked at, so braces
 * in conversation text stay what they are, and megabytes are joined exactly once. Throws `internal` for a slot without value.
 */
export function render(template: string, values: Readonly<Record<string, string | number>>): string {
  const pieces: string[] = []
  let from = 0
  for (const match of template.matchAll(SLOT)) {
    const slot = (match[1] ?? '').trim()
    const value = Object.hasOwn(values, slot) ? values[slot] : undefined
    if (value === undefined) throw new RecapdError('internal', `Cannot render a prompt: slot "${slot}" has no value`)
    pieces.push(template.slice(from, match.index), String(value))
    from = match.index + match[0].length
  }
  pieces.push(template.slice(from))
  return pieces.join('')
}
