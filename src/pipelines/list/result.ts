import type { RecapdError } from '../../domain/errors.ts'
import type { AssembledList } from '../../domain/list/assemble/assemble-list.ts'
import type { PrunedPlan, SummaryPlan } from '../../domain/list/plan/plan-list.ts'
import { type CompactionState, encodeState } from '../../domain/list/state.ts'
import { afterPass } from '../../domain/list/strikes.ts'
import { NO_USAGE } from '../../models/model.ts'
import type { CompactMessagesResult } from '../compact-result-schema.ts'
import { afterSummary } from '../pass-state.ts'
import type { SummaryInList } from './finish.ts'
import { type ListPass, listPlanOf, type PlannedListPass } from './pass.ts'

/** Pruning alone made progress: a smaller list without a summary (docs/spec/compaction.md §12). */
export function prunedList(pass: ListPass, plan: PrunedPlan): CompactMessagesResult {
  const { messages, tokensBefore, tokensAfter, validity } = plan
  return {
    ...compacted(pass, plan, afterPass(pass.state, { rows: messages.length, tokens: tokensAfter, summary: 'none' })),
    method: 'prune',
    messages,
    boundaries: { start: 0, end: 0 },
    droppedCount: 0,
    fallbackUsed: false,
    noLiveUserTurn: false,
    validity,
    progress: { tokensBefore, tokensAfter, madeProgress: true },
    calls: [],
    usage: NO_USAGE,
    degraded: false,
    warnings: pass.warnings,
  }
}

/** How the models did, and when. */
interface Asked {
  readonly failure: RecapdError | undefined
  readonly nowMs: number
}

type Made = Pick<
  CompactMessagesResult,
  'summary' | 'method' | 'fallbackUsed' | 'audit' | 'calls' | 'usage' | 'degraded' | 'warnings'
>

/** The list with its summary in place. */
export function summarizedList(
  pass: PlannedListPass,
  assembled: AssembledList & Pick<SummaryInList, 'ledger'> & Asked,
  made: Made,
): CompactMessagesResult {
  const { messages, ledger, boundaries, droppedCount, noLiveUserTurn, validity, tokensBefore, tokensAfter } = assembled
  return {
    ...compacted(
      pass,
      pass.plan,
      afterSummary({ ...pass.state, ledger }, { rows: messages.length, tokens: tokensAfter }, assembled),
    ),
    messages,
    boundaries,
    droppedCount,
    noLiveUserTurn,
    validity,
    progress: { tokensBefore, tokensAfter, madeProgress: true },
    ...made,
  }
}

function compacted(
  pass: ListPass,
  plan: SummaryPlan | PrunedPlan,
  state: CompactionState,
): Pick<CompactMessagesResult, 'compacted' | 'plan' | 'next' | 'state'> {
  return { compacted: true, plan: listPlanOf(pass, plan), next: { resetSession: false }, state: encodeState(state) }
}
