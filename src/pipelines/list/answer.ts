import type { Conversation } from '../../domain/conversation/conversation.ts'
import { RecapdError } from '../../domain/errors.ts'
import { fallbackSummary } from '../../domain/list/fallback-summary.ts'
import type { SummaryPlan } from '../../domain/list/plan/plan-list.ts'
import { type CallRow, NO_USAGE, type Usage } from '../../models/model.ts'
import type { CompactMessagesResult } from '../compact-result-schema.ts'
import { type CallSpec, callModel, FALLBACK_SPARE_MS } from '../model-call.ts'
import type { Step } from '../pipeline-context.ts'
import type { PlannedListPass } from './pass.ts'

/** A summary of the region before it is checked for facts, and what it cost. */
export interface ListAnswer {
  readonly text: string
  readonly method: CompactMessagesResult['method']
  readonly degraded: boolean
  /** Why it was made without a language model. */
  readonly failure: RecapdError | undefined
  readonly calls: readonly CallRow[]
  readonly usage: Usage
  readonly warnings: readonly string[]
}

/** What is asked, and the same region as it was read. */
export interface ListQuestion {
  readonly spec: CallSpec
  readonly conversation: Conversation
}

/** The chain's answer, or, asked for and marked, the deterministic one made from the rows alone (docs/spec/lists.md §11, §12). */
export async function listAnswer(
  { spec, conversation }: ListQuestion,
  { pass, deps, emit }: Step<PlannedListPass>,
  signal: AbortSignal,
): Promise<ListAnswer> {
  const { model, context, request, plan } = pass
  const wantsFallback = request.onFailure === 'fallback'
  try {
    const asked = wantsFallback ? { ...spec, spareMs: FALLBACK_SPARE_MS } : spec
    const { completion, rows } = await callModel(asked, { model, context, deps, emit, onFailure: 'error' }, signal)
    const { text, method, degraded, usage, warnings } = completion
    return { text, method, degraded, failure: undefined, calls: rows, usage, warnings }
  } catch (error) {
    signal.throwIfAborted()
    if (!wantsFallback || !(error instanceof RecapdError)) throw error
    return withoutModel({ plan, conversation, error, model: model.candidates[0].id })
  }
}

interface Failed {
  readonly plan: SummaryPlan
  readonly conversation: Conversation
  readonly error: RecapdError
  readonly model: string
}

function withoutModel({ plan, conversation, error, model }: Failed): ListAnswer {
  const { rowsToSummarize: rows, previousSummary } = plan
  const { code, extras } = error
  const { attempts = [] } = extras
  const failed = { kind: 'list', model, usage: NO_USAGE, attempts, durationMs: 0 }
  return {
    text: fallbackSummary({ conversation, count: rows.length, previousSummary, reason: code }),
    method: 'extractive',
    degraded: true,
    failure: error,
    calls: attempts.length === 0 ? [] : [failed],
    usage: NO_USAGE,
    warnings: [`All models failed (${code}); the summary was made from the messages alone, without a language model.`],
  }
}
