import type { Row } from '../../dialects/row.ts'
import { cutText } from '../../text/cut-text.ts'
import { redact } from '../../text/redact.ts'
import { userWords } from '../user-row.ts'

const FOCUS_TURNS = 3
const FOCUS_TURN_CHARS = 260
const FOCUS_CHARS = 700

/** What the user was last after: the newest three requests, oldest first, each on one line; null without any (docs/spec/lists.md §9.2). */
export function autoFocus(rows: readonly Row[]): string | null {
  const asks: string[] = []
  for (let at = rows.length - 1; at >= 0 && asks.length < FOCUS_TURNS; at -= 1) {
    const row = rows[at]
    const text = row === undefined ? '' : collapsedLine(redact(userWords(row)), FOCUS_TURN_CHARS)
    if (text !== '') asks.unshift(text)
  }
  return asks.length === 0 ? null : cutText(asks.join(' | '), FOCUS_CHARS)
}

/** White space collapsed, at most the given characters; only what can matter is looked at. */
export function collapsedLine(text: string, chars: number): string {
  return cutText(
    text
      .slice(0, chars * 8)
      .replace(/\s+/g, ' ')
      .trim(),
    chars,
  )
}
