import type { AttemptOutcome } from '../domain/attempt-row.ts'
import { RecapdError } from '../domain/errors.ts'
import {
  type CompactionState,
  decodeState,
  encodeState,
  type FailureCause,
  stateForModel,
} from '../domain/list/state.ts'
import { afterFailure, afterForce, afterPass, afterUsage, type PassFacts } from '../domain/list/strikes.ts'
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
 * A failed pass as its caller hears of it: the message begins with words that agents know, and the state starts a cooldown. A client
 * that has left hears nothing.
 */
export function failedPass(
  error: unknown,
  { reason, state, nowMs }: { readonly reason: string; readonly state: CompactionState; readonly nowMs: number },
): unknown {
  if (!(error instanceof RecapdError) || error.code === 'client-closed') return error
  const after = afterFailure(state, causeOf(error), nowMs)
  return new RecapdError(error.code, `${PREFIXES[reason] ?? ''}${error.message}`, {
    ...error.extras,
    state: encodeState(after),
  })
}

/** A pass that made a summary. Where the models failed and it was made without one, their cooldown begins all the same. */
export function afterSummary(
  state: CompactionState,
  facts: Omit<PassFacts, 'summary'>,
  { failure, nowMs }: { readonly failure: RecapdError | undefined; readonly nowMs: number },
): CompactionState {
  const after = afterPass(state, { ...facts, summary: failure === undefined ? 'model' : 'fallback' })
  return failure === undefined ? after : afterFailure({ ...after, timeouts: state.timeouts }, causeOf(failure), nowMs)
}

/** Any problem of a request hands its state back, so that a caller who stores what it gets never loses one (docs/spec/contract.md §3). */
export function withState(error: unknown, state: string | undefined): unknown {
  if (!(error instanceof RecapdError) || error.extras.state !== undefined || error.code === 'client-closed')
    return error
  const given = encodeState(decodeState(state).state)
  return new RecapdError(error.code, error.message, { ...error.extras, state: given })
}

const CAUSES: Readonly<Partial<Record<AttemptOutcome, FailureCause>>> = {
  timeout: 'timeout',
  network: 'stream-closed',
  bad_response: 'bad-json',
  empty: 'empty',
  key_resting: 'no-provider',
  auth: 'no-provider',
  quota: 'no-provider',
}

/** Statuses that say "not now" (docs/spec/lists.md §11): each in a row waits longer. */
const TIMEOUT_STATUSES: ReadonlySet<number | undefined> = new Set([408, 429, 502, 504])

function causeOf(error: RecapdError): FailureCause {
  if (error.code === 'deadline-exceeded') return 'timeout'
  const last = error.extras.attempts?.at(-1)
  if (last === undefined) return 'other'
  return CAUSES[last.outcome] ?? (TIMEOUT_STATUSES.has(last.status) ? 'timeout' : 'other')
}
