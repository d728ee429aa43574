import { hasHeading } from '../text/headings.ts'

export type Verdict = 'ok' | 'blank' | 'not-a-summary'

// Zero-width characters alone would pass a plain trim() and be stored as a summary.
const VISIBLE = /[^\s\u200B-\u200D\u2060\uFEFF]/

/**
 * Judges an unwrapped answer (session-compaction §7.2, §7.3). `headings`: the instructions asked for Markdown headings, so
 * a text without any answered the conversation instead of summarising it. One JSON object has none either: no line of it
 * can begin with a hash.
 */
export function verdict(text: string, expects: 'text' | 'headings'): Verdict {
  if (!VISIBLE.test(text)) return 'blank'
  return expects === 'text' || hasHeading(text) ? 'ok' : 'not-a-summary'
}
