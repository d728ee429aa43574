import { RecapdError } from '../domain/errors.ts'
import { refundIteration } from '../domain/list/progress.ts'
import type { CompactMessagesResult, CompactRequest, CompactSessionResult } from './compact-schema.ts'
import { compactMessages } from './list/compact-list.ts'
import { lockSession } from './lock-session.ts'
import { withState } from './pass-state.ts'
import type { CallContext, Emit, PipelineDeps } from './pipeline-context.ts'
import { compactSession } from './session/compact-session.ts'

type Result = CompactSessionResult | CompactMessagesResult

/**
 * POST /compact: a session or a message list, by what the body holds; the schema saw to it that it is exactly one. Attempts,
 * the session's lock, the iteration budget and the caller's state are the same for both.
 */
export async function compact(
  request: CompactRequest,
  context: CallContext,
  deps: PipelineDeps,
  signal: AbortSignal,
  emit?: Emit,
): Promise<Result> {
  const run = request.entries === undefined ? compactMessages : compactSession
  try {
    refuseExhausted(request)
    const lease = await lockSession(request, context, deps)
    try {
      emit?.('compaction_start', { reason: request.reason })
      return withBudget(request, await run(request, context, deps, signal, emit))
    } finally {
      await lease?.release()
    }
  } catch (error) {
    throw withState(error, request.state)
  }
}

/** The cap of attempts is the cap: a loop of overflows ends here (hermes-spec §18). */
function refuseExhausted({ attempt, maxAttempts }: CompactRequest): void {
  if (attempt === undefined || attempt <= maxAttempts) return
  throw new RecapdError(
    'attempts-exhausted',
    `Attempt ${attempt} is over the limit of ${maxAttempts}; start a new session or raise maxAttempts.`,
  )
}

function withBudget({ iterationBudget, reason }: CompactRequest, result: Result): Result {
  if (iterationBudget === undefined) return result
  const pass = { reason, madeProgress: result.compacted && result.progress.madeProgress }
  return { ...result, iterationBudget: refundIteration(iterationBudget, pass) }
}
