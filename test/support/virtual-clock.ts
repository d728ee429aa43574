import { setImmediate as turn } from 'node:timers/promises'
import type { Clock } from '../../src/models/clock.ts'

interface Timer {
  readonly at: number
  readonly wake: () => void
}

/** A clock whose time only passes when a test says so. */
export interface VirtualClock extends Clock {
  /** Lets the time pass, waking sleepers in their order. */
  advance(ms: number): Promise<void>
  /** Passes time from sleeper to sleeper until the promise has settled. */
  settle<T>(promise: Promise<T>): Promise<T>
}

/** Starts at a time that is no special one; `random` answers 0.5. */
export function virtualClock(startMs = 1_700_000_000_000): VirtualClock {
  let now = startMs
  const timers = new Set<Timer>()
  const nextTimer = () => [...timers].sort((a, b) => a.at - b.at)[0]
  const wake = async (timer: Timer) => {
    timers.delete(timer)
    now = Math.max(now, timer.at)
    timer.wake()
    await turn()
  }
  return {
    now: () => now,
    random: () => 0.5,
    after(ms, run) {
      const timer: Timer = { at: now + Math.max(0, ms), wake: run }
      timers.add(timer)
      return () => void timers.delete(timer)
    },
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        if (signal.aborted) return reject(signal.reason)
        const timer: Timer = { at: now + Math.max(0, ms), wake: resolve }
        timers.add(timer)
        signal.addEventListener('abort', () => timers.delete(timer) && reject(signal.reason), { once: true })
      }),
    async advance(ms) {
      const until = now + ms
      await turn()
      for (let timer = nextTimer(); timer !== undefined && timer.at <= until; timer = nextTimer()) await wake(timer)
      now = until
      await turn()
    },
    async settle(promise) {
      let settled = false
      const done = () => {
        settled = true
      }
      promise.then(done, done)
      for (let idle = 0; !settled && idle < 1_000; ) {
        await turn()
        const timer = nextTimer()
        if (settled) break
        if (timer === undefined) idle += 1
        else await wake(timer)
      }
      if (!settled) throw new Error('Nothing sleeps and nothing settles: the promise waits for ever')
      return promise
    },
  }
}
