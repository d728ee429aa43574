import { type Collect, garbageCollector } from './garbage-collector.ts'

/** Of dead bodies so much may lie about: a fraction of what makes V8 mark everything, and still one collection for hundreds of requests. */
const MOST_DEAD_BYTES = 16_777_216

/**
 * Hears of every body, and every piece of one, that nobody needs any more, and collects the young objects when they are many megabytes. A body lies
 * outside of V8's heap; V8 counts it against the heap's limit, but lets it go only with the small object that holds it, and of those
 * a thousand are too few for a collection of their own. So it marked the whole heap, forty milliseconds for a
 * hundred bodies of 200 KB, where this takes one (docs/decisions/0020-dead-bodies-are-collected-young.md).
 */
export function collectYoung(collector: () => Collect = garbageCollector): (deadBytes: number) => void {
  let collect: Collect | undefined
  let dead = 0
  return (deadBytes) => {
    dead += deadBytes
    if (dead < MOST_DEAD_BYTES) return
    dead = 0
    collect ??= collector()
    collect({ type: 'minor', execution: 'sync' })
  }
}
