/**
 * The schema, parameter or response behind local `$ref`s (`#/components/…`). Keys beside the `$ref` win, as JSON Schema
 * 2020-12 has it. A pointer that leads nowhere gives what is written there, so that one fault never empties the page.
 */
export function resolveRef(node, api) {
  let current = node
  const seen = new Set()
  while (typeof current?.$ref === 'string' && !seen.has(current.$ref)) {
    seen.add(current.$ref)
    const { $ref, ...beside } = current
    const target = targetOf($ref, api)
    if (target === undefined) return current
    current = { ...target, ...beside }
  }
  return current ?? {}
}

function targetOf(ref, api) {
  if (!ref.startsWith('#/')) return undefined
  return ref
    .slice(2)
    .split('/')
    .reduce((node, part) => node?.[part.replaceAll('~1', '/').replaceAll('~0', '~')], api)
}

/** The last part of a `$ref`, for the reader: `#/components/schemas/Problem` -> `Problem`. */
export const refName = (node) => (typeof node?.$ref === 'string' ? node.$ref.split('/').at(-1) : null)
