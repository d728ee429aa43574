import { Gauge, type Registry } from 'prom-client'
import type { FinalStatus } from '../jobs/job.ts'
import type { QueueCounts } from '../jobs/job-queue.ts'

/** Jobs by state: those that wait or run now, and those that this process has finished. */
export function jobGauge(registry: Registry) {
  const over: Record<FinalStatus, number> = { done: 0, failed: 0, cancelled: 0 }
  let counts = async (): Promise<QueueCounts> => ({ queued: 0, running: 0 })
  new Gauge({
    name: 'recapd_jobs',
    help: 'Jobs by state: queued (everywhere) and running (here) now; done, failed and cancelled since the start of this process.',
    labelNames: ['state'],
    registers: [registry],
    async collect() {
      for (const [state, value] of Object.entries({ ...(await counts()), ...over })) this.set({ state }, value)
    },
  })
  return {
    finished(status: FinalStatus) {
      over[status] += 1
    },
    watch(ask: typeof counts) {
      counts = ask
    },
  }
}
