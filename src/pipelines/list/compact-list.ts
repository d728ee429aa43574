import { planList } from '../../domain/list/plan/plan-list.ts'
import { notPrepared } from '../ahead/not-prepared.ts'
import type { CompactAheadResult, CompactMessagesResult } from '../compact-result-schema.ts'
import type { CompactRequest } from '../compact-schema.ts'
import { failedPass } from '../pass-state.ts'
import type { PipelineCall, PipelineDeps, Step } from '../pipeline-context.ts'
import { preparedFor, takenBy } from './ahead.ts'
import { blockedList, dryList, type ListPass, listBlockedBy, listInputOf, noListPass, openListPass } from './pass.ts'
import { prunedList } from './result.ts'
import { summarizeList, summarizeListAhead } from './summarize.ts'

/** A message list in, a valid, smaller list of the same format out, or the caller's own list and a reason. */
export async function compactMessages(
  call: PipelineCall<CompactRequest>,
  signal: AbortSignal,
): Promise<CompactMessagesResult | CompactAheadResult> {
  const { deps, emit } = call
  const pass = openListPass(call)
  if (call.request.ahead) return prepareList({ pass, deps, emit }, signal)
  const result = saidWhereOver(pass, await run({ pass, deps, emit }, signal))
  count(pass, result, deps)
  return result
}

async function run({ pass, deps, emit }: Step<ListPass>, signal: AbortSignal): Promise<CompactMessagesResult> {
  const blocked = listBlockedBy(pass, deps.now())
  if (blocked) return blockedList(pass, blocked)
  const prepared = await preparedFor(pass, deps)
  const plan = planList({ ...listInputOf(pass), prepared: prepared && { start: prepared.start, end: prepared.count } })
  if (plan.kind === 'noop') return noListPass(pass, plan.reason)
  if (plan.kind === 'pruned') return pass.request.dryRun ? dryList(pass, plan, { prompts: [] }) : prunedList(pass, plan)
  emit?.({ name: 'plan', data: { boundaries: plan.boundaries, tokensBefore: plan.tokensBefore } })
  try {
    return await summarizeList({ pass: { ...pass, plan }, deps, emit, taken: takenBy(plan, prepared) }, signal)
  } catch (error) {
    throw failedPass(error, { reason: pass.request.reason, state: pass.state, nowMs: deps.now() })
  }
}

/** `ahead: true`: the summary is made now and put aside; the messages stay as they are. */
async function prepareList({ pass, deps, emit }: Step<ListPass>, signal: AbortSignal): Promise<CompactAheadResult> {
  if (pass.request.reason !== 'manual' && !pass.enabled) return notPrepared(pass, 'disabled')
  const plan = planList(listInputOf(pass))
  if (plan.kind !== 'plan') return notPrepared(pass, plan.kind === 'noop' ? plan.reason : 'nothing-to-compact')
  emit?.({ name: 'plan', data: { boundaries: plan.boundaries, tokensBefore: plan.tokensBefore } })
  try {
    return await summarizeListAhead({ pass: { ...pass, plan }, deps, emit }, signal)
  } catch (error) {
    throw failedPass(error, { reason: pass.request.reason, state: pass.state, nowMs: deps.now() })
  }
}

/** The list that is sent back fits the window, or the answer says that it does not (docs/spec/reading.md §3). */
function saidWhereOver({ budget, contextTokens }: ListPass, result: CompactMessagesResult): CompactMessagesResult {
  const tokens = result.compacted ? result.progress.tokensAfter : contextTokens
  const { contextWindow } = budget
  if (result.reason === 'dry-run' || tokens <= contextWindow) return result
  const warning = `still-over-window: the list has ${tokens} tokens, the window ${contextWindow}; start a new session or send less.`
  return { ...result, warnings: [...result.warnings, warning], next: { resetSession: true } }
}

function count({ request, context }: ListPass, result: CompactMessagesResult, deps: PipelineDeps): void {
  const { progress, compacted, reason = 'compacted', method } = result
  if (reason === 'dry-run') return
  deps.observer.compaction({
    kind: 'messages',
    caller: context.callerName,
    reason: request.reason,
    result: !compacted ? reason : method === 'prune' ? 'pruned' : 'compacted',
    tokensBefore: compacted ? progress.tokensBefore : undefined,
    tokensAfter: compacted ? progress.tokensAfter : undefined,
  })
}
