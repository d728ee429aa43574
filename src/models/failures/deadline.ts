import type { Clock } from '../clock.ts'
import type { CompletionRequest } from '../model.ts'
import { ModelError, type ModelErrorFacts } from '../model-error.ts'

/** No attempt starts that cannot have this much (docs/spec/models.md §3). It is also what is kept back for the embedded model. */
export const LEAST_ATTEMPT_MS = 1_000

/** The request's own time is over: 504 whatever the attempts before it ended in (docs/spec/models.md §10). */
export class DeadlineError extends ModelError {
  constructor(model: string, facts: ModelErrorFacts = {}) {
    super(model, 'timeout', facts)
  }
}

/** Milliseconds until nobody waits any more. A shared call may go on until its own deadline, but begins nothing after this. */
export function leftMs(
  { deadlineAt, listener }: Pick<CompletionRequest, 'deadlineAt' | 'listener'>,
  clock: Clock,
): number {
  return Math.min(deadlineAt, listener?.waitsUntil?.() ?? deadlineAt) - clock.now()
}
