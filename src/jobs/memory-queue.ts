import { type JobQueue, type RunJob, tooManyWaiting } from './job-queue.ts'

export interface MemoryQueueOptions {
  readonly concurrency: number
  readonly maxWaiting: number
  readonly run: RunJob
}

/** First come, first served, in this process. */
export function memoryQueue({ concurrency, maxWaiting, run }: MemoryQueueOptions): JobQueue {
  const waiting: string[] = []
  const running = new Set<Promise<unknown>>()
  let idle = Promise.withResolvers<void>()
  idle.resolve()

  function startNext(): void {
    while (running.size < concurrency) {
      const id = waiting.shift()
      if (id === undefined) break
      const work: Promise<unknown> = run(id, false).finally(() => {
        running.delete(work)
        startNext()
      })
      running.add(work)
    }
    if (running.size === 0) idle.resolve()
  }
  return {
    async add(id) {
      if (running.size >= concurrency && waiting.length >= maxWaiting) throw tooManyWaiting(maxWaiting)
      if (running.size === 0) idle = Promise.withResolvers()
      waiting.push(id)
      startNext()
    },
    // What waits or runs here is lost with this process only.
    async restore() {},
    async remove(id) {
      const at = waiting.indexOf(id)
      if (at >= 0) waiting.splice(at, 1)
    },
    close: () => idle.promise,
    counts: async () => ({ queued: waiting.length, running: running.size }),
    ownCount: () => waiting.length + running.size,
  }
}
