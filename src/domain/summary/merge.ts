import { NOTICE } from '../extractive/notice.ts'
import { asEarlier } from '../ledger/previous/as-earlier.ts'
import { textTokens } from '../tokens/text-tokens.ts'

/** What a split turn without any history says in its place (docs/spec/compaction.md §12). */
const NO_HISTORY = 'No prior history.'

const TURN_CONTEXT = '\n\n---\n\n**Turn Context (split turn):**\n\n'

/**
 * The text that is stored: the history summary, joined with the turn prefix in the form that agents know when the turn was split.
 * Without a history of its own the previous summary takes its place verbatim, without one `NO_HISTORY` does.
 */
export function mergeSummary(parts: {
  readonly history?: string | undefined
  readonly previousSummary?: string | undefined
  readonly prefix?: string | undefined
}): string {
  const history = parts.history || parts.previousSummary || NO_HISTORY
  if (!parts.prefix) return history
  const before = history.startsWith(NOTICE) ? asEarlier(history) : history
  return `${before}${TURN_CONTEXT}${withoutNotice(parts.prefix, before)}`
}

/** How both were made is said once. */
function withoutNotice(prefix: string, history: string): string {
  return history.startsWith(NOTICE) && prefix.startsWith(NOTICE) ? prefix.slice(NOTICE.length).trimStart() : prefix
}

/**
 * True when the merged summary, before tags and additions, weighs more than what it replaces: history + prefix + previous
 * summary, in tokens of the same rule (docs/spec/compaction.md §7.5).
 */
export function isInflated(merged: string, replacedTokens: number): boolean {
  return textTokens(merged) > replacedTokens
}
