/** Numbers in [0, 1) that depend on nothing but these words: what a test draws does not depend on who comes first. */
export function drawn(...words: readonly (string | number)[]): number {
  let hash = 0x811c9dc5
  for (const char of words.join('\0')) hash = Math.imul(hash ^ (char.codePointAt(0) ?? 0), 0x01000193)
  // Murmur's finish: neighbouring words must not give neighbouring numbers.
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32
}

/** One of them. */
export function pick<T>(items: readonly T[], number: number): T {
  const item = items[Math.floor(number * items.length)]
  if (item === undefined) throw new RangeError('Nothing to pick from')
  return item
}
