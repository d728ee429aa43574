import { isTrivial } from '../ledger/cues/patterns.ts'
import { isSynthetic } from '../ledger/user-words.ts'
import { withoutWrappers } from '../text/prose.ts'

/** What a block of the user's side is: a request, a command the user ran, a summary of earlier history, or nothing. */
export type AskKind =
  | { readonly kind: 'ask'; readonly text: string; readonly trivial: boolean }
  | { readonly kind: 'command'; readonly text: string; readonly command: string }
  | { readonly kind: 'summary'; readonly text: string }
  | { readonly kind: 'nothing' }

/** Our own serialiser escapes the tags of reminders in data (session-compaction §6). */
const NEUTRALISED = /&lt;(?=\/?system-reminder\b)/g
const RAN = /^Ran `([^`]{1,2000})`\n/
const SUMMARY = /(?:<|&lt;)summary>\n?([\s\S]*?)(?:(?:<|&lt;)\/summary>|$)/
const SUMMARY_WITHIN = 1500
const RULER = /([─━═=_*~.-])\1{11,}/g
const SLASH_COMMAND = /^\/[a-z][\w:-]{0,40}(?:\s[^\n]{0,80})?$/i
/** "Prompt summary (23m 23s)": notes of extensions travel as user messages too (omp-spec §3). */
const TIMED_NOTE = /^[\p{L} ]{3,40}\((?:\d+[hms] ?){1,3}\)$/u
/** Instructions that an extension puts in: a document that tells the model what it is. */
const INJECTED = /^#{1,6} [^\n]{1,100}\n[\s\S]{0,300}\byou are\b/i

/** Sorts one user block. Bash runs, summaries and injected texts are messages of the user only by form. */
export function askOf(block: string): AskKind {
  const ran = RAN.exec(block)
  if (ran !== null) return { kind: 'command', command: ran[1] ?? '', text: block.slice(ran[0].length) }
  const text = withoutWrappers(block.replace(NEUTRALISED, '<')).replace(RULER, '$1$1$1').trim()
  const summary = SUMMARY.exec(text)
  if (summary !== null && summary.index < SUMMARY_WITHIN) return { kind: 'summary', text: (summary[1] ?? '').trim() }
  if (text === '' || isSynthetic(block) || TIMED_NOTE.test(text) || INJECTED.test(text)) return { kind: 'nothing' }
  return { kind: 'ask', text, trivial: isTrivial(text) || SLASH_COMMAND.test(text) }
}
