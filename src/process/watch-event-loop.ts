import { monitorEventLoopDelay } from 'node:perf_hooks'

const WINDOW_MS = 10_000
const STALLED_AFTER_WINDOWS = 3
const STALL_MS = 1_000

/** Says whether the event loop was held up (p99 over 1 s) for half a minute: then another replica should get the work. */
export function watchEventLoop(): { stalled(): boolean; stop(): void } {
  // Each look wakes the process, and a stall is a second long.
  const histogram = monitorEventLoopDelay({ resolution: 50 })
  histogram.enable()
  let slowWindows = 0
  const timer = setInterval(() => {
    slowWindows = histogram.percentile(99) / 1e6 > STALL_MS ? slowWindows + 1 : 0
    histogram.reset()
  }, WINDOW_MS)
  timer.unref()
  return {
    stalled: () => slowWindows >= STALLED_AFTER_WINDOWS,
    stop() {
      clearInterval(timer)
      histogram.disable()
    },
  }
}
