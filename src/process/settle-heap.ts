import type { Lifecycle } from '../http/plugins/lifecycle.ts'
import { type Collect, garbageCollector } from '../workers/garbage-collector.ts'

const LOOK_MS = 1_000

/**
 * What starting leaves behind is a quarter of the process (`npm run bench -- start`), and V8 keeps it until memory is short. It is
 * given back once, in the first second in which nobody waits for anything: that takes a tenth of a second.
 */
export function settleHeap(
  lifecycle: Pick<Lifecycle, 'inflight' | 'orphans'>,
  collector: () => Collect = garbageCollector,
): void {
  const timer = setInterval(() => {
    if (lifecycle.inflight + lifecycle.orphans > 0) return
    clearInterval(timer)
    collector()({ type: 'major', execution: 'sync', flavor: 'last-resort' })
  }, LOOK_MS)
  timer.unref()
}
