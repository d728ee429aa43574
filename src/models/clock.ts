/** Time and chance as values, so that tests decide what they are. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number
  /** Resolves after ms; rejects with the signal's reason when it aborts first. */
  sleep(ms: number, signal: AbortSignal): Promise<void>
  /** A number in [0, 1). */
  random(): number
}

/** Why a sleep ends that nobody waits for any more. Without a reason Node makes a DOMException, stack and all, each time. */
export const NOT_NEEDED = 'not needed any more'

export const systemClock: Clock = {
  now: () => Date.now(),
  random: () => Math.random(),
  // By hand: timers/promises makes an AbortError with a stack for each sleep that is not slept to its end.
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason)
      const onAbort = () => {
        clearTimeout(timer)
        reject(signal.reason)
      }
      const wake = () => {
        signal.removeEventListener('abort', onAbort)
        resolve()
      }
      const timer = setTimeout(wake, Math.max(0, ms))
      signal.addEventListener('abort', onAbort, { once: true })
    }),
}
