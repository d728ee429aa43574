import type { Conversation, Turn } from '../../domain/conversation/conversation.ts'
import type { Row } from '../../domain/dialects/row.ts'
import { unwrapHandoffs } from '../../domain/list/assemble/unwrap-handoffs.ts'

/** Rows without the earlier summaries that stood in them as messages (docs/spec/reading.md §3). */
export interface ReadRows {
  readonly rows: readonly Row[]
  readonly previousSummary: string | undefined
}

export function withoutSummaries(given: readonly Row[]): ReadRows {
  const { rows, previousSummary } = unwrapHandoffs(given)
  return { rows, previousSummary: previousSummary ?? undefined }
}

/** The same for summaries that a provider or another agent left inside a turn. */
export function liftSummaries(
  conversation: Conversation,
  previousSummary: string | undefined,
): { readonly conversation: Conversation; readonly previousSummary: string | undefined } {
  const parts = conversation.turns.flatMap((turn) => turn.parts)
  const found = parts.flatMap((part) => (part.kind === 'summary' ? [part.text] : []))
  if (found.length === 0) return { conversation, previousSummary }
  const earlier = [...(previousSummary === undefined ? [] : [previousSummary]), ...found]
  return { conversation: { turns: conversation.turns.flatMap(bare) }, previousSummary: earlier.join('\n\n') }
}

function bare(turn: Turn): Turn[] {
  const parts = turn.parts.filter(({ kind }) => kind !== 'summary')
  return parts.length === 0 ? [] : [{ ...turn, parts }]
}
