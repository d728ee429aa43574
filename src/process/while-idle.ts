import type { Lifecycle } from '../http/plugins/lifecycle.ts'

const LOOK_MS = 1_000

/** What can wait until nobody waits for anything: a task a second, in their order, in seconds in which nothing is on its way. */
export function whileIdle(lifecycle: Pick<Lifecycle, 'inflight' | 'orphans'>, tasks: readonly (() => void)[]): void {
  const left = [...tasks]
  const timer = setInterval(() => {
    if (lifecycle.inflight + lifecycle.orphans > 0) return
    left.shift()?.()
    if (left.length === 0) clearInterval(timer)
  }, LOOK_MS)
  timer.unref()
}
