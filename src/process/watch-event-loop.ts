import { monitorEventLoopDelay } from 'node:perf_hooks'

const WINDOW_MS = 10_000
const STALLED_AFTER_WINDOWS = 3
const STALL_MS = 1_000

// Each look wakes the process, and a stall is a second long.
const LOOK_MS = 50

export interface EventLoopWatch {
  /** True when it was held up (p99 over 1 s) for half a minute: then another replica should get the work. */
  stalled(): boolean
  /** Seconds by which it was late in the running window. */
  lag(): { readonly p50: number; readonly p99: number; readonly max: number }
  stop(): void
}

export function watchEventLoop(): EventLoopWatch {
  const histogram = monitorEventLoopDelay({ resolution: LOOK_MS })
  histogram.enable()
  let slowWindows = 0
  const timer = setInterval(() => {
    slowWindows = histogram.percentile(99) / 1e6 > STALL_MS ? slowWindows + 1 : 0
    histogram.reset()
  }, WINDOW_MS)
  timer.unref()
  return {
    stalled: () => slowWindows >= STALLED_AFTER_WINDOWS,
    lag: () => ({
      p50: lagSeconds(histogram.percentile(50)),
      p99: lagSeconds(histogram.percentile(99)),
      max: lagSeconds(histogram.max),
    }),
    stop() {
      clearInterval(timer)
      histogram.disable()
    },
  }
}

/** Node records the time between two looks; what is over the time there should be is the lag. Before the first look its maximum is 0. */
const lagSeconds = (nanoseconds: number): number => Math.max(0, nanoseconds / 1e6 - LOOK_MS) / 1000
