import { withoutThinking } from '../../domain/transcript/without-thinking.ts'
import type { Clock } from '../clock.ts'
import { attemptsOf, usageOfFailure, withAttempts } from '../failures/attempts.ts'
import { isPassing } from '../failures/classify.ts'
import { LEAST_ATTEMPT_MS, leftMs as timeLeft } from '../failures/deadline.ts'
import { betterLeftover, takenLeftover } from '../failures/leftover.ts'
import { isLongHint } from '../failures/retry-hint.ts'
import {
  type AttemptOutcome,
  type AttemptRow,
  type Completion,
  type CompletionRequest,
  type Model,
  sumUsage,
  type Usage,
  wrapModel,
} from '../model.ts'
import type { Leftover } from '../model-error.ts'
import { ModelError } from '../model-error.ts'
import type { ModelObserver } from '../observer.ts'
import { largestCap, outputCap } from '../output-cap.ts'
import { textPrompt, withParagraph } from '../prompt.ts'
import { trackedListener } from '../signals/tracked-listener.ts'
import type { RetryBudget } from './retry-budget.ts'

export interface RetryOptions {
  /** Tries of one model that end in a passing failure; retries by a "once" row of the table, or with another key, do not count. */
  readonly maxAttempts: number
  readonly baseDelayMs: number
  readonly maxDelayMs: number
  readonly budget: RetryBudget
  readonly clock: Clock
  readonly observer: ModelObserver
  /** Lines appended to the prompt of a second try: be brief (after `truncated`), answer as asked (after `not_a_summary`). */
  readonly texts: { readonly brevity: string; readonly reminder: string }
}

/** Outcomes that one repetition without a wait may mend (docs/spec/models.md §2). */
const ONCE: ReadonlySet<AttemptOutcome> = new Set(['empty', 'truncated', 'not_a_summary', 'refused'])

/** Asks the same model again as the table of docs/spec/models.md §2 allows; the rows of all tries add up. */
export function withRetry(model: Model, options: RetryOptions): Model {
  return wrapModel(model, (request, signal) => new Tries(model, options, request, signal).run())
}

/** One request's tries of one model. */
class Tries {
  readonly #model: Model
  readonly #options: RetryOptions
  readonly #request: CompletionRequest
  readonly #signal: AbortSignal
  readonly #rows: AttemptRow[] = []
  readonly #spent = new Set<AttemptOutcome>()
  #passing = 0
  /** What the answers that were thrown away have cost. */
  readonly #lost: Usage[] = []
  /** The best of the refused answers. */
  #leftover: Leftover | undefined

  constructor(model: Model, options: RetryOptions, request: CompletionRequest, signal: AbortSignal) {
    this.#model = model
    this.#options = options
    this.#request = request
    this.#signal = signal
  }

  async run(): Promise<Completion> {
    const listener = trackedListener(this.#request.listener)
    let request = listener === undefined ? this.#request : { ...this.#request, listener: listener.listener }
    this.#options.budget.deposit()
    for (;;) {
      try {
        return this.#answer(await this.#model.complete(request, this.#signal))
      } catch (error) {
        if (this.#signal.aborted) throw this.#signal.reason
        if (!(error instanceof ModelError)) throw error
        const { outcome, facts } = error
        this.#rows.push(...attemptsOf(error))
        if (facts.leftover !== undefined) this.#leftover = betterLeftover(facts.leftover, this.#leftover)
        if (this.#takesCut(outcome) && this.#leftover !== undefined) return this.#answer(takenLeftover(this.#leftover))
        listener?.discard()
        this.#lost.push(usageOfFailure(error))
        const next = this.#reworded(request, outcome)
        if (next === null || !(await this.#mayRepeat(error))) throw this.#failure(error)
        this.#spent.add(outcome)
        this.#options.observer.retry(this.#model.id, outcome)
        request = next
      }
    }
  }

  /** Decides, and waits where the table says so. */
  async #mayRepeat({ outcome, facts }: ModelError): Promise<boolean> {
    const { clock, budget, maxDelayMs, maxAttempts } = this.#options
    const leftMs = timeLeft(this.#request, clock)
    if (leftMs < LEAST_ATTEMPT_MS) return false
    // The key of the failed call rests by now, so this ends when no key is left.
    if (facts.anotherKey === true) return true
    if (ONCE.has(outcome)) return !this.#spent.has(outcome)
    if (!isPassing(outcome) || isLongHint(facts.retryAfterMs, { maxDelayMs, leftMs })) return false
    this.#passing += 1
    if (this.#passing >= maxAttempts) return false
    const delayMs = this.#delayMs(facts.retryAfterMs ?? 0)
    if (leftMs - delayMs < LEAST_ATTEMPT_MS || !budget.withdraw()) return false
    await clock.sleep(delayMs, this.#signal)
    return true
  }

  /** Full jitter, never under the hint, never over maxDelayMs (the hint is no longer than that by now). */
  #delayMs(hintMs: number): number {
    const { clock, baseDelayMs, maxDelayMs } = this.#options
    const ceilingMs = Math.min(maxDelayMs, baseDelayMs * 2 ** (this.#passing - 1))
    return Math.max(hintMs, Math.round(clock.random() * ceilingMs))
  }

  /**
   * The next try's request: what went wrong is appended to the prompt, once, so that it cannot grow (docs/bug-log.md B036). Null where
   * the same prompt would be refused again.
   */
  #reworded(request: CompletionRequest, outcome: AttemptOutcome): CompletionRequest | null {
    const { brevity, reminder } = this.#options.texts
    if (outcome === 'refused') {
      const prompt = withoutThinking(request.prompt.text)
      return prompt === null ? null : { ...request, prompt: textPrompt(prompt) }
    }
    if (outcome === 'not_a_summary') return { ...request, prompt: withParagraph(request.prompt, reminder) }
    if (outcome !== 'truncated') return request
    const maxTokens = Math.min(2 * outputCap(this.#model, request), largestCap(this.#model))
    return { ...request, maxTokens, prompt: withParagraph(request.prompt, brevity) }
  }

  /** The chain asks its other candidates first; an answer that only the next call reads is accepted at once. */
  #takesCut(outcome: AttemptOutcome): boolean {
    return this.#request.takesCut === true && outcome === 'truncated' && this.#spent.has(outcome)
  }

  /** The failure with the rows and costs of all tries, and the best of the answers that were refused. */
  #failure(error: ModelError): ModelError {
    const failure = withAttempts(error, this.#rows, sumUsage(this.#lost))
    if (this.#leftover === undefined) return failure
    return new ModelError(failure.model, failure.outcome, { ...failure.facts, leftover: this.#leftover })
  }

  #answer(completion: Completion): Completion {
    if (this.#rows.length === 0) return completion
    const usage = sumUsage([...this.#lost, completion.usage])
    return { ...completion, usage, attempts: [...this.#rows, ...completion.attempts] }
  }
}
