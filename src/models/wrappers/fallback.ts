import { EXTRACTIVE_ID } from '../candidate-ids.ts'
import type { Clock } from '../clock.ts'
import { usageOfFailure } from '../failures/attempts.ts'
import { DeadlineError, LEAST_ATTEMPT_MS, leftMs } from '../failures/deadline.ts'
import { betterLeftover, takenLeftover } from '../failures/leftover.ts'
import {
  type AttemptRow,
  type Completion,
  type CompletionListener,
  type CompletionRequest,
  type Model,
  sumUsage,
  wrapModel,
} from '../model.ts'
import { ModelError } from '../model-error.ts'
import type { ModelObserver } from '../observer.ts'
import { type LinkedController, linkedController } from '../signals/linked-signal.ts'
import { type Settled, settle } from '../signals/settle.ts'
import { trackedListener } from '../signals/tracked-listener.ts'
import { Agenda, type AgendaStep } from './agenda.ts'
import type { Hedge } from './hedge.ts'

export interface FallbackOptions {
  /** Of the chain, for errors that no candidate is to blame for. */
  readonly id: string
  readonly clock: Clock
  readonly observer: ModelObserver
  readonly hedge?: Hedge | undefined
}

// A candidate that ignores its deadline is cut off this much later, still within the second kept for the extractive one.
const GRACE_MS = 150

/**
 * Asks the candidates in order until one answers; their rows add up (docs/spec/models.md §2). Too large for one → those with a larger
 * window, then folding. Throws the last failure with all rows, DeadlineError without a second left, the signal's reason.
 */
export function withFallback(candidates: readonly Model[], options: FallbackOptions): Model {
  const first = candidates[0]
  if (first === undefined) throw new RangeError('A chain needs at least one candidate')
  return wrapModel(first, (request, signal) => new Walk(candidates, options, request, signal).run(), options.id)
}

/** One request on its way through the candidates. */
class Walk {
  readonly #options: FallbackOptions
  readonly #request: CompletionRequest
  readonly #signal: AbortSignal
  readonly #agenda: Agenda
  readonly #keepsLastSecond: boolean
  readonly #failures: ModelError[] = []

  constructor(candidates: readonly Model[], options: FallbackOptions, request: CompletionRequest, signal: AbortSignal) {
    this.#options = options
    this.#request = request
    this.#signal = signal
    this.#agenda = new Agenda(candidates, request.fold !== false)
    this.#keepsLastSecond = candidates.some(({ id }) => id === EXTRACTIVE_ID)
  }

  async run(): Promise<Completion> {
    for (let step = this.#agenda.next(); step !== null; step = this.#agenda.next()) {
      this.#signal.throwIfAborted()
      if (!this.#hasTimeFor(step.candidate)) {
        // Only the embedded model, which comes after it, has a second reserved.
        if (!this.#keepsLastSecond)
          return this.#bestOf(new DeadlineError(this.#options.id, { attempts: this.#agenda.rows() }))
        this.#agenda.failed(step, new ModelError(step.candidate.id, 'timeout'))
        continue
      }
      const from = this.#failures.at(-1)?.model
      if (from !== undefined && from !== step.candidate.id) this.#options.observer.fallback(from, step.candidate.id)
      for (const settled of await this.#ask(step)) {
        if ('completion' in settled) return this.#answer(settled.candidate, settled.completion)
        const { candidate } = settled
        this.#note({ candidate, fold: candidate !== step.candidate || step.fold }, settled.error)
      }
    }
    return this.#bestOf(this.#failure())
  }

  /** When no answer was good, the best of the refused ones, if it may be used; else throws `failure`. */
  #bestOf(failure: ModelError): Completion {
    const best = this.#failures.map(({ facts }) => facts.leftover).reduce(betterLeftover, undefined)
    if (best === undefined || !best.isUsable) throw failure
    const usage = sumUsage(this.#failures.map(usageOfFailure))
    return { ...takenLeftover(best), usage, attempts: this.#agenda.rows() }
  }

  /** The time that everybody else leaves to the embedded model. */
  #keptMs(candidate: Model): number {
    return this.#keepsLastSecond && candidate.id !== EXTRACTIVE_ID ? LEAST_ATTEMPT_MS : 0
  }

  #hasTimeFor(candidate: Model): boolean {
    const ownMs = leftMs(this.#request, this.#options.clock) - this.#keptMs(candidate)
    return candidate.id === EXTRACTIVE_ID ? ownMs > 0 : ownMs >= LEAST_ATTEMPT_MS
  }

  async #ask(step: AgendaStep): Promise<readonly Settled[]> {
    const listener = trackedListener(this.#request.listener)
    const run = (candidate: Model, fold: boolean) => (own: CompletionListener | undefined, signal: AbortSignal) =>
      this.#complete({ candidate, fold }, own, signal)
    const partner = this.#options.hedge === undefined ? undefined : this.#agenda.partner(step)
    const first = { candidate: step.candidate, run: run(step.candidate, step.fold) }
    const settled =
      partner === undefined || this.#options.hedge === undefined
        ? [await settle(first.candidate, first.run(listener?.listener, this.#signal), this.#signal)]
        : await this.#options.hedge.race(
            first,
            { candidate: partner, run: run(partner, true) },
            listener?.listener,
            this.#signal,
          )
    if (!settled.some((one) => 'completion' in one)) listener?.discard()
    return settled
  }

  #complete({ candidate, fold }: AgendaStep, listener: CompletionListener | undefined, signal: AbortSignal) {
    const keptMs = this.#keptMs(candidate)
    const request = { ...this.#request, deadlineAt: this.#request.deadlineAt - keptMs }
    if (!fold) request.fold = false
    // Each candidate is listened to through a listener of its own.
    if (listener !== undefined) request.listener = listener
    return keptMs === 0 ? candidate.complete(request, signal) : this.#completeInTime(candidate, request, signal)
  }

  /** As #complete, but without the second that is kept for the embedded model. */
  async #completeInTime(candidate: Model, request: CompletionRequest, signal: AbortSignal) {
    const keptMs = this.#keptMs(candidate)
    const { listener } = request
    const waitsUntil = listener?.waitsUntil
    const timed =
      waitsUntil === undefined
        ? request
        : { ...request, listener: { ...listener, waitsUntil: () => waitsUntil() - keptMs } }
    const guard = linkedController(signal)
    const stopGuard = this.#guard(candidate, guard)
    try {
      return await candidate.complete(timed, guard.signal)
    } finally {
      stopGuard()
      guard.unlink()
    }
  }

  /** Ends a candidate when the reserved second begins. Callers of a shared call come and go, so that moment may move. Returns a function that stops it. */
  #guard(candidate: Model, call: LinkedController): () => void {
    const { clock } = this.#options
    const startedAt = clock.now()
    let cancel = () => {}
    const watch = () => {
      const restMs = leftMs(this.#request, clock) - this.#keptMs(candidate) + GRACE_MS
      if (restMs > 0) cancel = clock.after(restMs, watch)
      else call.abort(new ModelError(candidate.id, 'timeout', { attempts: [row()] }))
    }
    const row = (): AttemptRow => ({
      model: candidate.id,
      outcome: 'timeout',
      durationMs: Math.round(clock.now() - startedAt),
    })
    watch()
    return () => cancel()
  }

  #note(step: AgendaStep, error: ModelError): void {
    this.#agenda.failed(step, error)
    this.#failures.push(error)
  }

  #answer(candidate: Model, completion: Completion): Completion {
    const before = this.#agenda.rows(candidate)
    if (before.length === 0 && this.#failures.length === 0) return completion
    const usage = sumUsage([...this.#failures.map(usageOfFailure), completion.usage])
    return { ...completion, usage, attempts: [...before, ...completion.attempts] }
  }

  #failure(): ModelError {
    const attempts = this.#agenda.rows()
    // The time ran out during the last candidate: that is the deadline's fault, not the model's.
    if (leftMs(this.#request, this.#options.clock) <= 0) return new DeadlineError(this.#options.id, { attempts })
    const last = this.#failures.at(-1)
    // chain-failure.ts judges the whole chain: it needs each candidate's own failure, and who is free again first.
    const soonestMs = Math.min(...this.#failures.map(({ facts }) => facts.retryAfterMs ?? Number.POSITIVE_INFINITY))
    return new ModelError(last?.model ?? this.#options.id, last?.outcome ?? 'timeout', {
      ...last?.facts,
      attempts,
      cause: new AggregateError(this.#failures),
      retryAfterMs: Number.isFinite(soonestMs) ? soonestMs : undefined,
    })
  }
}
