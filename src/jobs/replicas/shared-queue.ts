import { RecapdError } from '../../domain/errors.ts'
import type { RedisLink } from '../../models/stores/redis-link.ts'
import type { JobQueue } from '../job-queue.ts'
import { insist } from './insist.ts'

/** Undefined where Redis did not take it. */
async function taken(put: () => Promise<void>): Promise<true | undefined> {
  try {
    await put()
    return true
  } catch (error) {
    if (error instanceof RecapdError) throw error
    return undefined
  }
}

/** The queue of all replicas, and that of this process for as long as Redis is away. */
export function sharedQueue(link: RedisLink, shared: JobQueue, alone: JobQueue): JobQueue {
  return {
    async add(id) {
      const isTaken = await insist(link, () => taken(() => shared.add(id)))
      if (isTaken !== true) await alone.add(id)
    },
    async restore(id) {
      await insist(link, () => taken(() => shared.restore(id)))
    },
    async remove(id) {
      await Promise.all([shared.remove(id), alone.remove(id)])
    },
    async close() {
      await Promise.all([shared.close(), alone.close()])
    },
    async counts() {
      const [all, own] = await Promise.all([shared.counts(), alone.counts()])
      return { queued: all.queued + own.queued, running: all.running + own.running }
    },
    ownCount: () => shared.ownCount() + alone.ownCount(),
  }
}
