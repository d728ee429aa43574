import { DeadlineError } from './deadline.ts'
import { type AttemptRow, ModelError } from './model.ts'

/** Rows of a failure, in the order in which the attempts were made. */
export function attemptsOf(error: ModelError): readonly AttemptRow[] {
  return error.facts.attempts ?? []
}

/** The same failure with these rows. Errors are values here: whoever adds rows makes a new one. */
export function withAttempts(error: ModelError, attempts: readonly AttemptRow[]): ModelError {
  if (error instanceof DeadlineError) return new DeadlineError(error.model, { ...error.facts, attempts })
  return new ModelError(error.model, error.outcome, { ...error.facts, attempts })
}
