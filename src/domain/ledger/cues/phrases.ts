/** Reads a list of phrases written as `a | b | c`, over as many lines as it needs; long lists stay readable that way. */
export function phrases(list: string): readonly string[] {
  return list
    .split('|')
    .map((phrase) => phrase.trim())
    .filter((phrase) => phrase !== '')
}
