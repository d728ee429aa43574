import { compactMessages } from './compact-messages.ts'
import type { CompactMessagesResult, CompactRequest, CompactSessionResult } from './compact-schema.ts'
import { compactSession } from './compact-session.ts'
import { withState } from './pass-state.ts'
import type { CallContext, Emit, PipelineDeps } from './pipeline-context.ts'

/** POST /compact: a session or a message list, by what the body holds; the schema saw to it that it is exactly one. */
export async function compact(
  request: CompactRequest,
  context: CallContext,
  deps: PipelineDeps,
  signal: AbortSignal,
  emit?: Emit,
): Promise<CompactSessionResult | CompactMessagesResult> {
  const run = request.entries === undefined ? compactMessages : compactSession
  try {
    return await run(request, context, deps, signal, emit)
  } catch (error) {
    throw withState(error, request.state)
  }
}
