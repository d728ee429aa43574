import {
  type CompactionState,
  decodeState,
  encodeState,
  type FailureCause,
  stateForModel,
} from '../domain/chat/state.ts'
import { afterFailure, afterForce, afterUsage } from '../domain/chat/strikes.ts'
import { RecapdError } from '../domain/errors.ts'
import type { AttemptRow, Outcome } from '../models/model.ts'
import type { CompactRequest } from './compact-schema.ts'

/** What the caller's opaque state says, after what this request adds to it. */
export function openState(
  request: Pick<CompactRequest, 'state' | 'force' | 'lastUsage'>,
  model: string,
  size: { readonly tokens: number; readonly thresholdTokens: number },
): { readonly state: CompactionState; readonly warnings: readonly string[] } {
  const decoded = decodeState(request.state)
  let state = stateForModel(decoded.state, model)
  if (request.force === true) state = afterForce(state)
  if (request.lastUsage !== undefined) state = afterUsage(state, request.lastUsage.promptTokens, size)
  return { state, warnings: decoded.warning === null ? [] : [decoded.warning] }
}

const PREFIXES: Readonly<Record<string, string>> = {
  overflow: 'Context overflow recovery failed: ',
  threshold: 'Auto-compaction failed: ',
  idle: 'Auto-compaction failed: ',
}

/**
 * A pass that failed, as its caller is told: the seed's words in front, and a state that starts a cooldown. A client that
 * left is told nothing.
 */
export function failedPass(error: unknown, reason: string, state: CompactionState, nowMs: number): unknown {
  if (!(error instanceof RecapdError) || error.code === 'client-closed') return error
  const after = afterFailure(state, causeOf(error), nowMs)
  return new RecapdError(error.code, `${PREFIXES[reason] ?? ''}${error.message}`, {
    ...error.extras,
    state: encodeState(after),
  })
}

const CAUSES: Readonly<Partial<Record<Outcome, FailureCause>>> = {
  timeout: 'timeout',
  network: 'stream-closed',
  bad_response: 'bad-json',
  empty: 'empty',
  key_resting: 'no-provider',
  auth: 'no-provider',
}

function causeOf(error: RecapdError): FailureCause {
  if (error.code === 'deadline-exceeded') return 'timeout'
  const last = (error.extras.attempts ?? []).at(-1) as AttemptRow | undefined
  return (last === undefined ? undefined : CAUSES[last.outcome]) ?? 'other'
}
