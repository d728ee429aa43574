const WORD =
  /[\p{L}\p{N}][\p{L}\p{M}\p{N}_./:@-]*[\p{L}\p{M}\p{N}]|\p{N}|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u
const HARD = /[\d/_.:@]/
const SHORTEST = 4

/** The words of a line that carry its meaning, lower case: longer than three letters, numbers and names, pairs of signs. */
export function contentWords(text: string): ReadonlySet<string> {
  const words = new Set<string>()
  for (const [word] of text.toLowerCase().matchAll(WORD)) {
    if (UNSPACED.test(word)) for (let at = 0; at + 1 < word.length; at += 1) words.add(word.slice(at, at + 2))
    else if (word.length >= SHORTEST || HARD.test(word)) words.add(word)
  }
  return words
}

/** Numbers, paths, ids: two lines that differ in one of them say different things. */
export const isHardWord = (word: string): boolean => HARD.test(word)

/** How much of `part` stands in `whole`: 0 to 1, 0 for nothing to compare. */
export function shareOf(part: ReadonlySet<string>, whole: ReadonlySet<string>): number {
  if (part.size === 0) return 0
  let shared = 0
  for (const word of part) if (whole.has(word)) shared += 1
  return shared / part.size
}

/** Whether one line says nothing that the other does not say: all its names and numbers, four of five of its words. */
export function isSaidBy(line: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  if (line.size === 0) return false
  for (const word of line) if (HARD.test(word) && !other.has(word)) return false
  return shareOf(line, other) >= 0.8
}
