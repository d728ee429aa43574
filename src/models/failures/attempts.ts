import { type AttemptRow, NO_USAGE, type Usage } from '../model.ts'
import { ModelError } from '../model-error.ts'
import { DeadlineError } from './deadline.ts'

/** Rows of a failure, in the order in which the attempts were made. */
export function attemptsOf(error: ModelError): readonly AttemptRow[] {
  return error.facts.attempts ?? []
}

/** What the answers cost that were thrown away with it. */
export function usageOfFailure(error: ModelError): Usage {
  return error.facts.usage ?? error.facts.partial?.usage ?? error.facts.leftover?.completion.usage ?? NO_USAGE
}

/** The same failure with these rows and costs. Errors are values here: whoever adds to one makes a new one. */
export function withAttempts(
  error: ModelError,
  attempts: readonly AttemptRow[],
  usage: Usage = usageOfFailure(error),
): ModelError {
  const facts = { ...error.facts, attempts, usage }
  if (error instanceof DeadlineError) return new DeadlineError(error.model, facts)
  return new ModelError(error.model, error.outcome, facts)
}
