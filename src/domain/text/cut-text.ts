/** At most the given characters, never half of a surrogate pair (docs/bug-log.md B110). */
export function cutText(text: string, chars: number): string {
  if (text.length <= chars) return text
  const last = text.charCodeAt(chars - 1)
  return text.slice(0, (last & 0xfc00) === 0xd800 ? chars - 1 : chars)
}
