import type { Clock } from '../clock.ts'
import type { Completion, CompletionListener, Model } from '../model.ts'
import { ModelError } from '../model-error.ts'
import { linkedController } from '../signals/linked-signal.ts'
import { onAbort } from '../signals/on-abort.ts'
import { type Settled, settle } from '../signals/settle.ts'

export interface HedgeOptions {
  /** Silence after which the next candidate is started beside the first. */
  readonly afterMs: number
  readonly clock: Clock
}

/** One of two candidates, with the call that asks it. */
export interface Runner {
  readonly candidate: Model
  readonly run: (listener: CompletionListener | undefined, signal: AbortSignal) => Promise<Completion>
}

/** Asks `first`, and `second` beside it when no token comes. The answer, if any, is the last of what is returned. */
export interface Hedge {
  race(
    first: Runner,
    second: Runner,
    listener: CompletionListener | undefined,
    signal: AbortSignal,
  ): Promise<readonly Settled[]>
}

// At most 5 % of requests may cost twice (docs/spec/models.md §10). One token at most is saved up, so that no burst of them follows.
const SHARE = 0.05

/** Hedged requests for fallback (off by default). The first good answer wins, the other call is aborted. */
export function createHedge(options: HedgeOptions): Hedge {
  let tokens = 1
  const take = () => {
    if (tokens < 1) return false
    tokens -= 1
    return true
  }
  return {
    async race(first, second, listener, signal) {
      tokens = Math.min(1, tokens + SHARE)
      const speaker = oneSpeaker(listener)
      const lead = start(first, speaker, options.clock, signal)
      try {
        if (!(await isSilent(lead, options, signal)) || !take()) return [await lead.end]
      } catch (error) {
        lead.stop()
        throw error
      }
      const beside = start(second, speaker, options.clock, signal)
      return firstGood(lead, beside, speaker)
    },
  }
}

interface Running {
  readonly candidate: Model
  readonly end: Promise<Settled>
  /** Resolves with the first delta. */
  readonly spoke: Promise<void>
  stop(): void
  aborted(): ModelError
}

function start(runner: Runner, speaker: Speaker, clock: Clock, signal: AbortSignal): Running {
  const { candidate } = runner
  const linked = linkedController(signal)
  const startedAt = clock.now()
  const spoke = Promise.withResolvers<void>()
  const listener = speaker.listenerFor(candidate, spoke.resolve)
  const end = settle(candidate, runner.run(listener, linked.signal), signal).finally(linked.unlink)
  // The loser is not awaited: its rejection (the abort) is expected.
  end.catch(() => {})
  const aborted = () =>
    new ModelError(candidate.id, 'aborted', {
      attempts: [{ model: candidate.id, outcome: 'aborted', durationMs: clock.now() - startedAt }],
    })
  return { candidate, end, spoke: spoke.promise, stop: () => linked.abort(aborted()), aborted }
}

async function isSilent(lead: Running, { afterMs, clock }: HedgeOptions, signal: AbortSignal): Promise<boolean> {
  const silence = Promise.withResolvers<boolean>()
  const cancel = clock.after(afterMs, () => silence.resolve(true))
  const aborting = onAbort(() => silence.reject(signal.reason), signal)
  try {
    return await Promise.race([lead.end.then(() => false), lead.spoke.then(() => false), silence.promise])
  } finally {
    cancel()
    aborting[Symbol.dispose]()
  }
}

async function firstGood(lead: Running, beside: Running, speaker: Speaker): Promise<readonly Settled[]> {
  const settled = await Promise.race([lead.end, beside.end])
  const other = settled.candidate === lead.candidate ? beside : lead
  if ('error' in settled) return [settled, await other.end]
  other.stop()
  speaker.exclude(other.candidate)
  return [{ candidate: other.candidate, error: other.aborted() }, settled]
}

/** Decides which of two models writes into the stream. */
interface Speaker {
  listenerFor(candidate: Model, onFirst: () => void): CompletionListener
  exclude(candidate: Model): void
}

/** Two models must not write into one stream: the first to send text keeps the listener; if it loses, its text is taken back. */
function oneSpeaker(listener: CompletionListener | undefined): Speaker {
  let current: Model | undefined
  const excluded = new Set<Model>()
  return {
    listenerFor: (candidate, onFirst) => ({
      ...listener,
      attempt(row) {
        if (!excluded.has(candidate)) listener?.attempt?.(row)
      },
      delta(text) {
        onFirst()
        current ??= candidate
        if (current === candidate && !excluded.has(candidate)) listener?.delta?.(text)
      },
      reset() {
        if (current === candidate && !excluded.has(candidate)) listener?.reset?.()
      },
    }),
    exclude(candidate) {
      excluded.add(candidate)
      if (current === candidate) listener?.reset?.()
    },
  }
}
