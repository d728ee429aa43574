import { setTimeout as delay } from 'node:timers/promises'

/** Time and chance as values, so that tests decide what they are. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number
  /** Resolves after ms; rejects with the signal's reason when it aborts first. */
  sleep(ms: number, signal: AbortSignal): Promise<void>
  /** A number in [0, 1). */
  random(): number
}

export const systemClock: Clock = {
  now: () => Date.now(),
  random: () => Math.random(),
  async sleep(ms, signal) {
    try {
      // Node warns of negative times on stderr; a moment that has passed is simply now.
      await delay(Math.max(0, ms), undefined, { signal })
    } catch (error) {
      // The reason the caller aborted with says more than the AbortError of the timer.
      throw signal.aborted ? signal.reason : error
    }
  },
}
