import { type Collect, garbageCollector } from '../workers/garbage-collector.ts'

/**
 * What starting leaves behind is a quarter of the process (`npm run bench -- start`), and V8 keeps it until memory is short. To
 * give it back takes a tenth of a second.
 */
export function giveBackMemory(collector: () => Collect = garbageCollector): void {
  collector()({ type: 'major', execution: 'sync', flavor: 'last-resort' })
}
