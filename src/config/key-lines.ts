/** Keys of a file or variable: one a line, or divided by commas. A line that begins with `#` is a comment, whole. */
export function keyLines(text: string): readonly string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => !line.startsWith('#'))
    .flatMap((line) => line.split(','))
    .map((key) => key.trim())
    .filter((key) => key !== '')
}
