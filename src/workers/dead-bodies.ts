import { type Collect, garbageCollector } from './garbage-collector.ts'

/** Of dead bodies so much may lie about: a fraction of what makes V8 mark everything, and still one collection for hundreds of requests. */
const MOST_DEAD_BYTES = 16_777_216
/** Minor collections may leave so much of them. */
const MOST_OLD_BYTES = 134_217_728

/**
 * Hears of every body, and every piece of one, that nobody needs any more, and collects the young objects when they are many megabytes. A body lies
 * outside of V8's heap; V8 counts it against the heap's limit, but lets it go only with the small object that holds it, and of those
 * a thousand are too few for a collection of their own. So it marked the whole heap, forty milliseconds for a
 * hundred bodies of 200 KB, where this takes one (docs/decisions/0020-dead-bodies-are-collected-young.md).
 *
 * One that waits for its model while two such collections pass lies among the old, and if threads share it V8 does not count it against its limit:
 * where little else is made, nothing would ever let it go. So everything is collected once there are more bytes outside of the heap than there were at
 * some time since the last such collection, by 128 MiB, and as much has died meanwhile.
 */
export function deadBodies(
  collector: () => Collect = garbageCollector,
  bufferBytes: () => number = () => process.memoryUsage().arrayBuffers,
): (deadBytes: number) => void {
  let collect: Collect | undefined
  let young = 0
  let dead = 0
  let least = Number.POSITIVE_INFINITY
  return (deadBytes) => {
    young += deadBytes
    if (young < MOST_DEAD_BYTES) return
    dead += young
    young = 0
    const now = bufferBytes()
    least = Math.min(least, now)
    const isTooMuch = Math.min(dead, now - least) >= MOST_OLD_BYTES
    collect ??= collector()
    collect({ type: isTooMuch ? 'major' : 'minor', execution: 'sync' })
    if (!isTooMuch) return
    dead = 0
    least = Number.POSITIVE_INFINITY
  }
}
