import { stripOldMedia } from '../../dialects/old-media.ts'
import { dropEmptyAnswers, sanitizePairs } from '../../dialects/pairs.ts'
import { readList } from '../../dialects/parse-messages.ts'
import type { Repair } from '../../dialects/repair.ts'
import { chatMessageTokens } from '../../tokens/chat-tokens.ts'
import { listTokens } from '../list-tokens.ts'
import type { SummaryPlan } from '../plan/plan-list.ts'
import { madeProgress } from '../progress.ts'
import { assembleRows, dropBlankEchoes, hasNoLiveUser } from './assemble.ts'
import { sweepMarkers } from './sweep.ts'
import { checkValidity, type Validity } from './validity.ts'

export interface AssembledList {
  readonly kind: 'compacted'
  /** In the caller's format. */
  readonly messages: readonly unknown[]
  readonly droppedCount: number
  readonly boundaries: { readonly start: number; readonly end: number }
  readonly noLiveUserTurn: boolean
  readonly validity: Validity
  readonly tokensBefore: number
  readonly tokensAfter: number
}

/** The summary saved nothing: the caller keeps its messages (I8). */
export interface RejectedList {
  readonly kind: 'rejected'
  /** `inflated`: larger than what it replaces; `ineffective`: under 5 % saved. */
  readonly reason: 'inflated' | 'ineffective'
  readonly tokensBefore: number
  readonly tokensAfter: number
}

export interface SummaryText {
  /** As it goes into the list: audited, redacted, with facts and file tags. Opening and END marker are added here. */
  readonly text: string
  /** The model's own part of it, which alone is weighed against what it replaces (docs/spec/compaction.md §7.5). */
  readonly bare: string
}

/** Replaces the region with the summary, then repairs, strips and sweeps the whole list (docs/spec/lists.md §14 to §16). */
export function assembleList(plan: SummaryPlan, summary: SummaryText): AssembledList | RejectedList {
  const { input, tokensBefore } = plan
  const { codec } = input
  const echoes = dropBlankEchoes(plan.tail)
  const answers = dropEmptyAnswers(echoes.rows)
  const kept = codec.repair(answers.rows)
  const headAnswers = dropEmptyAnswers(plan.head)
  const head = codec.repair(headAnswers.rows)
  const assembled = assembleRows({
    head: head.rows,
    tail: kept.rows,
    summary: summary.text,
    mergesAdjacent: codec.mergesAdjacent,
  })
  const paired = sanitizePairs(assembled)
  const rows = stripOldMedia(paired.rows)
  const messages = sweepMarkers(codec.write(rows, input.messages))
  const tokensAfter = listTokens(readList(messages, input.format).rows, input)
  if (chatMessageTokens({ content: summary.bare }) > plan.tokensReplaced || tokensAfter >= tokensBefore) {
    return { kind: 'rejected', reason: 'inflated', tokensBefore, tokensAfter }
  }
  if (!madeProgress(tokensBefore, tokensAfter))
    return { kind: 'rejected', reason: 'ineffective', tokensBefore, tokensAfter }
  const blank: Repair[] = echoes.dropped.map((row) => ({ index: row.index, what: 'blank-echo-removed' }))
  const repaired = [
    plan.repaired,
    blank,
    headAnswers.repaired,
    answers.repaired,
    kept.repaired,
    head.repaired,
    paired.repaired,
  ]
    .flat()
    .toSorted((a, b) => a.index - b.index)
  return {
    kind: 'compacted',
    messages,
    droppedCount: plan.boundaries.end - plan.boundaries.start,
    boundaries: plan.boundaries,
    noLiveUserTurn: hasNoLiveUser(kept.rows),
    validity: checkValidity(rows, input, repaired),
    tokensBefore,
    tokensAfter,
  }
}
