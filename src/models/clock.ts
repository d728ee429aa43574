import { onAbort } from './signals/on-abort.ts'

/** Time and chance as values, so that tests decide what they are. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number
  /** Resolves after ms; rejects with the signal's reason when it aborts first. */
  sleep(ms: number, signal: AbortSignal): Promise<void>
  /** Calls `run` after ms; the function it returns calls that off, at a fraction of what aborting a sleep costs. */
  after(ms: number, run: () => void): () => void
  /** A number in [0, 1). */
  random(): number
}

export const systemClock: Clock = {
  now: () => Date.now(),
  random: () => Math.random(),
  after(ms, run) {
    const timer = setTimeout(run, Math.max(0, ms))
    return () => clearTimeout(timer)
  },
  // By hand: timers/promises makes an AbortError with a stack for each sleep that is cut short.
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason)
      const wake = () => {
        aborting[Symbol.dispose]()
        resolve()
      }
      const timer = setTimeout(wake, Math.max(0, ms))
      const aborting = onAbort(() => {
        clearTimeout(timer)
        reject(signal.reason)
      }, signal)
    }),
}
