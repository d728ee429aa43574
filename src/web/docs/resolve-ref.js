/** @import { Api } from './api-shapes.js' */

/**
 * The schema, parameter or response behind local `$ref`s (`#/components/…`). Keys beside the `$ref` win, as JSON Schema
 * 2020-12 has it. A pointer that leads nowhere gives what is written there, so that one fault never empties the page.
 * @template {{ readonly $ref?: string }} Node
 * @param {Node} node
 * @param {Api} api
 * @returns {Omit<Node, '$ref'>}
 */
export function resolveRef(node, api) {
  /** @type {Node} */
  let current = node
  /** @type {Set<string>} */
  const seen = new Set()
  while (typeof current?.$ref === 'string' && !seen.has(current.$ref)) {
    seen.add(current.$ref)
    const { $ref, ...beside } = current
    const target = targetOf($ref, api)
    if (target === undefined) return current
    current = /** @type {Node} */ ({ ...target, ...beside })
  }
  return current
}

/**
 * @param {string} ref
 * @param {Api} api
 * @returns {object | undefined}
 */
function targetOf(ref, api) {
  if (!ref.startsWith('#/')) return undefined
  /** @type {unknown} */
  let node = api
  for (const part of ref.slice(2).split('/')) {
    if (typeof node !== 'object' || node === null) return undefined
    node = Reflect.get(node, part.replaceAll('~1', '/').replaceAll('~0', '~'))
  }
  return typeof node === 'object' && node !== null ? node : undefined
}

/**
 * The last part of a `$ref`, for the reader: `#/components/schemas/Problem` -> `Problem`.
 * @param {{ readonly $ref?: string }} node
 */
export const refName = (node) => (typeof node.$ref === 'string' ? (node.$ref.split('/').at(-1) ?? null) : null)
