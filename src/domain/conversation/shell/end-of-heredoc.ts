/** Behind the line that holds only the mark; the end of the text where there is none. */
export function endOfHeredoc(text: string, from: number, mark: string): number {
  let at = from
  while (at < text.length) {
    const end = text.indexOf('\n', at)
    const line = text.slice(at, end < 0 ? text.length : end)
    if (line.length <= mark.length + 20 && line.trim() === mark) return end < 0 ? text.length : end + 1
    if (end < 0) break
    at = end + 1
  }
  return text.length
}
