import { RecapdError } from '../domain/errors.ts'
import type { Lease } from '../models/stores/store.ts'
import type { CompactRequest } from './compact-schema.ts'
import type { CallContext, PipelineDeps } from './pipeline-context.ts'

/** When to try a session again that is being compacted; passes take seconds. */
const RETRY_AFTER_MS = 5_000

/** One compaction a session at a time (http-api §3, `sessionId`); sessions of two callers never meet. */
export async function lockSession(
  request: CompactRequest,
  context: CallContext,
  deps: PipelineDeps,
): Promise<Lease | undefined> {
  if (request.sessionId === undefined || request.dryRun) return undefined
  const lease = await deps.lock(`${context.callerName}:${request.sessionId}`)
  if (lease !== 'taken') return lease
  throw new RecapdError(
    'compaction-in-progress',
    'This session is being compacted already; wait for that answer or send the same request to join it.',
    {
      retryAfterMs: RETRY_AFTER_MS,
    },
  )
}
