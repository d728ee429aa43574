import { isTrivial } from './cues/patterns.ts'
import { withoutWrappers } from './prose.ts'

/** What a block of the user's side is: a request, a command the user ran, a summary of earlier history, or nothing. */
export type AskKind =
  | { readonly kind: 'ask'; readonly text: string; readonly trivial: boolean }
  | { readonly kind: 'command'; readonly text: string; readonly command: string }
  | { readonly kind: 'summary'; readonly text: string }
  | { readonly kind: 'nothing' }

const RAN = /^Ran `([^`]{1,2000})`\n/
const SUMMARY = /<summary>\n?([\s\S]*?)(?:<\/summary>|$)/
const SLASH_COMMAND = /^\/[a-z][\w:-]{0,40}(?:\s[^\n]{0,80})?$/i

/** Sorts one user block. Bash runs and summaries are messages of the user only by form (omp-spec §3). */
export function askOf(block: string): AskKind {
  const ran = RAN.exec(block)
  if (ran !== null) return { kind: 'command', command: ran[1] ?? '', text: block.slice(ran[0].length) }
  const text = withoutWrappers(block).trim()
  const summary = SUMMARY.exec(text)
  if (summary !== null && summary.index < 1500) return { kind: 'summary', text: (summary[1] ?? '').trim() }
  if (text === '') return { kind: 'nothing' }
  return { kind: 'ask', text, trivial: isTrivial(text) || SLASH_COMMAND.test(text) }
}
