import { type Collect, garbageCollector } from './garbage-collector.ts'

/** Of dead bodies so much may lie about: a fraction of what makes V8 mark everything, and still one collection for hundreds of requests. */
const MOST_DEAD_BYTES = 16_777_216
/** Of those that are surely old so much may lie about, and so much of those that may be. */
const MOST_OLD_BYTES = 134_217_728
const MOST_UNKNOWN_BYTES = 1_073_741_824
/** What has lived through so many collections of the young is old. */
const YOUNG_COLLECTIONS = 2

export interface DeadBodies {
  /** Collections so far: what a body that begins now gives as `since` when it is done. */
  now(): number
  /** Nobody needs so many bytes any more. Without `since` they have just come. */
  add(bytes: number, since?: number): void
}

/**
 * Hears of every body, and every piece of one, that nobody needs any more, and collects the young objects when they are many megabytes. A body lies
 * outside of V8's heap; V8 counts it against the heap's limit, but lets it go only with the small object that holds it, and of those
 * a thousand are too few for a collection of their own. So it marked the whole heap, forty milliseconds for a
 * hundred bodies of 200 KB, where this takes one (docs/decisions/0020-dead-bodies-are-collected-young.md).
 *
 * One that waits for its model while two such collections pass lies among the old, and if threads share it V8 does not count it at all: where
 * little else is made, nothing would ever let it go. So everything is collected once V8 has not done it for too long.
 */
export function deadBodies(collector: () => Collect = garbageCollector): DeadBodies {
  let collect: Collect | undefined
  const hasMarked = markings()
  let collections = 0
  let young = 0
  let old = 0
  let unknown = 0
  return {
    now: () => collections,
    add(bytes, since = collections) {
      young += bytes
      if (collections - since >= YOUNG_COLLECTIONS) old += bytes
      if (young < MOST_DEAD_BYTES) return
      unknown += young
      young = 0
      if (hasMarked()) {
        old = 0
        unknown = 0
      }
      const isTooMuch = old >= MOST_OLD_BYTES || unknown >= MOST_UNKNOWN_BYTES
      collect ??= collector()
      collect({ type: isTooMuch ? 'major' : 'minor', execution: 'sync' })
      collections += 1
      if (isTooMuch) {
        old = 0
        unknown = 0
      }
    },
  }
}

/** Whether V8 has marked everything since this was last asked: only then it lets go of what is held weakly. */
function markings(): () => boolean {
  let held = new WeakRef({})
  return () => {
    const isGone = held.deref() === undefined
    if (isGone) held = new WeakRef({})
    return isGone
  }
}
