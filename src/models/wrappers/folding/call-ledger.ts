import type { Clock } from '../../clock.ts'
import { attemptsOf, usageOfFailure } from '../../failures/attempts.ts'
import { DeadlineError } from '../../failures/deadline.ts'
import {
  type AttemptRow,
  type CallRow,
  type Completion,
  type CompletionRequest,
  type Model,
  NO_USAGE,
  sumUsage,
} from '../../model.ts'
import { ModelError } from '../../model-error.ts'

/** One call of several that make one answer. */
export interface LedgerCall {
  readonly kind: string
  readonly model: Model
  readonly request: CompletionRequest
}

/** What is known of the calls below one completion: what they tried, cost and warned of, in the order in which they began. */
export interface CallLedger {
  ask(call: LedgerCall, signal: AbortSignal): Promise<Completion>
  /** Rows of all calls, those that failed included. */
  attempts(): AttemptRow[]
  calls(): CallRow[]
  usage(): Completion['usage']
  completions(): Completion[]
}

interface Entry {
  row: CallRow | undefined
  completion: Completion | undefined
}

/** `onFailure` hears of calls that failed, not of those stopped from outside. */
export function openLedger(
  clock: Clock,
  onFailure: (request: CompletionRequest, error: ModelError) => void = () => {},
): CallLedger {
  return new RecordedCalls(clock, onFailure)
}

/** One a request: methods, since a closure for each of them would be made as often. */
class RecordedCalls implements CallLedger {
  readonly #clock: Clock
  readonly #onFailure: (request: CompletionRequest, error: ModelError) => void
  readonly #entries: Entry[] = []

  constructor(clock: Clock, onFailure: (request: CompletionRequest, error: ModelError) => void) {
    this.#clock = clock
    this.#onFailure = onFailure
  }

  async ask({ kind, model, request }: LedgerCall, signal: AbortSignal): Promise<Completion> {
    const entry: Entry = { row: undefined, completion: undefined }
    this.#entries.push(entry)
    const startedAt = this.#clock.now()
    const sinceMs = () => Math.round(this.#clock.now() - startedAt)
    const enter = (attempts: readonly AttemptRow[], usage: Completion['usage']) => {
      entry.row = { kind, model: model.id, usage, attempts, durationMs: sinceMs() }
    }
    try {
      const completion = await model.complete(request, signal)
      entry.completion = completion
      enter(completion.attempts, completion.usage)
      return completion
    } catch (error) {
      // Stopped from outside, often because a sibling failed, whose rows are not this call's.
      const outcome = signal.reason instanceof DeadlineError ? 'timeout' : 'aborted'
      if (signal.aborted) enter([{ model: model.id, outcome, durationMs: sinceMs() }], NO_USAGE)
      else if (error instanceof ModelError) {
        enter(attemptsOf(error), usageOfFailure(error))
        this.#onFailure(request, error)
      }
      throw error
    }
  }

  attempts(): AttemptRow[] {
    return this.calls().flatMap(({ attempts }) => attempts)
  }

  calls(): CallRow[] {
    return this.#entries.flatMap(({ row }) => row ?? [])
  }

  usage(): Completion['usage'] {
    return sumUsage(this.calls().map(({ usage }) => usage))
  }

  completions(): Completion[] {
    return this.#entries.flatMap(({ completion }) => completion ?? [])
  }
}
