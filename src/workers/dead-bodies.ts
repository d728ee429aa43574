import { type Collect, garbageCollector } from './garbage-collector.ts'

/** Of dead bodies so much may lie about: a fraction of what makes V8 mark everything, and still one collection for hundreds of requests. */
const MOST_DEAD_BYTES = 16_777_216
/** Minor collections may leave so much of them. */
const MOST_OLD_BYTES = 134_217_728
/** A body of more was worked on for so long that it is surely old; half as many of these may lie about. */
const LONG_BYTES = 1_048_576
const MOST_LONG_BYTES = 67_108_864

/**
 * Hears of every body, and every piece of one, that nobody needs any more, and collects the young objects when they are many megabytes. A body lies
 * outside of V8's heap; V8 counts it against the heap's limit, but lets it go only with the small object that holds it, and of those
 * a thousand are too few for a collection of their own. So it marked the whole heap, forty milliseconds for a
 * hundred bodies of 200 KB, where this takes one (docs/decisions/0020-dead-bodies-are-collected-young.md).
 *
 * One that waits for its model while two such collections pass lies among the old, and if threads share it V8 does not count it against its limit:
 * where little else is made, nothing would ever let it go. So everything is collected once there are more bytes outside of the heap than there were at
 * some time since the last such collection, by 128 MiB, and as much has died meanwhile. Long bodies come and die together, when there are as many again:
 * of these 64 MiB are enough.
 */
export function deadBodies(
  collector: () => Collect = garbageCollector,
  bufferBytes: () => number = () => process.memoryUsage().arrayBuffers,
): (deadBytes: number) => void {
  let collect: Collect | undefined
  let young = 0
  let dead = 0
  let long = 0
  let least = Number.POSITIVE_INFINITY
  return (deadBytes) => {
    young += deadBytes
    if (deadBytes > LONG_BYTES) long += deadBytes
    if (young < MOST_DEAD_BYTES) return
    dead += young
    young = 0
    const now = bufferBytes()
    least = Math.min(least, now)
    const isTooMuch = long >= MOST_LONG_BYTES || Math.min(dead, now - least) >= MOST_OLD_BYTES
    collect ??= collector()
    collect({ type: isTooMuch ? 'major' : 'minor', execution: 'sync' })
    if (!isTooMuch) return
    dead = 0
    long = 0
    least = Number.POSITIVE_INFINITY
  }
}
