import type { Fault } from '../errors.ts'
import { slotsOf } from '../text/render.ts'
import { PROMPT_NAMES, PROMPT_SLOTS } from './prompts-shape.ts'

/** Every fault of a set of templates, all at once: missing file, blank text, missing slot, unknown slot. */
export function checkPrompts(templates: ReadonlyMap<string, string>): Fault[] {
  const faults: Fault[] = []
  for (const name of PROMPT_NAMES) {
    const path = `${name}.md`
    const template = templates.get(name)
    if (template === undefined) {
      faults.push({ path, message: 'file is missing' })
      continue
    }
    if (template.trim() === '') faults.push({ path, message: 'file is empty' })
    const wanted: readonly string[] = PROMPT_SLOTS[name]
    const found = new Set(slotsOf(template))
    for (const slot of wanted) if (!found.has(slot)) faults.push({ path, message: `slot {{${slot}}} is missing` })
    for (const slot of found) {
      if (!wanted.includes(slot)) faults.push({ path, message: `slot {{${slot}}} is unknown; ${allowed(wanted)}` })
    }
  }
  return faults
}

function allowed(slots: readonly string[]): string {
  return slots.length === 0 ? 'this prompt has no slots' : `known: ${slots.map((slot) => `{{${slot}}}`).join(', ')}`
}
