import { RecapdError } from '../domain/errors.ts'
import type { RedisLink } from '../models/stores/redis-link.ts'
import type { JobQueue } from './job-queue.ts'

/** The queue of all replicas, and that of this process for as long as Redis is away. */
export function sharedQueue(link: RedisLink, shared: JobQueue, alone: JobQueue): JobQueue {
  return {
    async add(id) {
      if (!link.isUp()) return alone.add(id)
      try {
        await shared.add(id)
      } catch (error) {
        if (error instanceof RecapdError) throw error
        await alone.add(id)
      }
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
  }
}
