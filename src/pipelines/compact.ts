import { RecapdError } from '../domain/errors.ts'
import { refundIteration } from '../domain/list/progress.ts'
import type { Lease } from '../models/stores/store.ts'
import type {
  CompactAheadResult,
  CompactMessagesResult,
  CompactResult,
  CompactSessionResult,
} from './compact-result-schema.ts'
import type { CompactRequest } from './compact-schema.ts'
import { compactMessages } from './list/compact-list.ts'
import { openListPass } from './list/pass.ts'
import { withState } from './pass-state.ts'
import type { PipelineCall } from './pipeline-context.ts'
import { compactSession } from './session/compact-session.ts'
import { openPass } from './session/pass.ts'
import { sourceOf } from './source-of.ts'

type Result = CompactSessionResult | CompactMessagesResult | CompactAheadResult

/**
 * POST /compact: a session or a message list, by what the body holds; the schema has made sure that it is exactly one. Attempts,
 * the session's lock, the iteration budget and the caller's state are the same for both.
 */
export async function compact(call: PipelineCall<CompactRequest>, signal: AbortSignal): Promise<CompactResult> {
  const { request, emit } = call
  const run = request.entries === undefined ? compactMessages : compactSession
  try {
    refuseExhausted(request)
    const lease = await lockSession(call)
    try {
      emit?.({ name: 'compaction_start', data: { reason: request.reason } })
      return { ...withBudget(request, await run(call, signal)), source: sourceOf(call) }
    } finally {
      await lease?.release()
    }
  } catch (error) {
    throw withState(error, request.state)
  }
}

/** Throws whatever is wrong with the request itself, before anything is done for it. */
export function tryCompact(call: PipelineCall<CompactRequest>): void {
  const { request } = call
  try {
    refuseExhausted(request)
    if (request.entries === undefined) openListPass(call)
    else openPass(call)
  } catch (error) {
    throw withState(error, request.state)
  }
}

/** The cap of attempts is final: a loop of overflows ends here (docs/spec/lists.md §18). */
function refuseExhausted({ attempt, maxAttempts }: CompactRequest): void {
  if (attempt === undefined || attempt <= maxAttempts) return
  throw new RecapdError(
    'attempts-exhausted',
    `Attempt ${attempt} is over the limit of ${maxAttempts}; start a new session or raise maxAttempts.`,
  )
}

function withBudget({ iterationBudget, reason }: CompactRequest, result: Result): Result {
  if (iterationBudget === undefined || 'prepared' in result) return result
  const pass = { reason, madeProgress: result.compacted && result.progress.madeProgress }
  return { ...result, iterationBudget: refundIteration(iterationBudget, pass) }
}

/** When to retry a session that is being compacted; a pass takes seconds. */
const RETRY_AFTER_MS = 5_000

/** One compaction a session at a time (docs/spec/contract.md §3, `sessionId`); sessions of two callers never collide. */
async function lockSession({ request, context, deps }: PipelineCall<CompactRequest>): Promise<Lease | undefined> {
  if (request.sessionId === undefined || request.dryRun) return undefined
  // A compaction that is needed now must not be refused because one is being prepared.
  const use = request.ahead ? ':ahead' : ''
  const lease = await deps.lock(`${context.callerName}:${request.sessionId}${use}`)
  if (lease !== 'taken') return lease
  throw new RecapdError(
    'compaction-in-progress',
    'This session is being compacted already; wait for that answer or send the same request to join it.',
    {
      retryAfterMs: RETRY_AFTER_MS,
    },
  )
}
