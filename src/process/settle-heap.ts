import v8 from 'node:v8'
import vm from 'node:vm'
import type { Lifecycle } from '../http/plugins/lifecycle.ts'

const LOOK_MS = 1_000

type Collect = (how: { readonly type: 'major'; readonly execution: 'sync'; readonly flavor: 'last-resort' }) => void

/**
 * What starting leaves behind is a quarter of the process (`npm run bench -- start`), and V8 keeps it until memory is short. It is
 * given back once, in the first second in which nobody waits for anything: that takes a tenth of a second.
 */
export function settleHeap(lifecycle: Pick<Lifecycle, 'inflight' | 'orphans'>, collect: Collect = collector()): void {
  const timer = setInterval(() => {
    if (lifecycle.inflight + lifecycle.orphans > 0) return
    clearInterval(timer)
    collect({ type: 'major', execution: 'sync', flavor: 'last-resort' })
  }, LOOK_MS)
  timer.unref()
}

/** V8's own collector, without a flag on the command line. */
function collector(): Collect {
  return (how) => {
    v8.setFlagsFromString('--expose-gc')
    const collect = vm.runInNewContext('gc') as Collect
    v8.setFlagsFromString('--no-expose-gc')
    collect(how)
  }
}
