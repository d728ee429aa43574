/** The last `</name>` from `from` on; one at the start of a line is preferred, because instructions may speak of the tag. */
export function lastClosing(text: string, name: string, from: number): { from: number; to: number } | null {
  const line = text.lastIndexOf(`\n</${name}>`)
  if (line >= from) return { from: line, to: line + name.length + 4 }
  const any = text.lastIndexOf(`</${name}>`)
  return any >= from ? { from: any, to: any + name.length + 3 } : null
}
