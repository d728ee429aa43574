import v8 from 'node:v8'
import vm from 'node:vm'

/** Collects, and comes back when that is done. */
export type Collect = (how: {
  readonly type: 'minor' | 'major'
  readonly execution: 'sync'
  readonly flavor?: 'last-resort'
}) => void

/** V8's own collector, without a flag on the command line. */
export function garbageCollector(): Collect {
  v8.setFlagsFromString('--expose-gc')
  const collect: Collect = vm.runInNewContext('gc')
  v8.setFlagsFromString('--no-expose-gc')
  return collect
}
