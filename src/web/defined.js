/**
 * The fields that have a value: elsewhere `undefined` is written once and passed on, but a header or a query would show it.
 * @template Value
 * @param {Readonly<Record<string, Value | undefined>>} fields
 * @returns {Record<string, Value>}
 */
export function defined(fields) {
  /** @type {Record<string, Value>} */
  const kept = {}
  for (const [name, value] of Object.entries(fields)) if (value !== undefined) kept[name] = value
  return kept
}
