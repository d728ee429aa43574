import { RecapdError } from '../domain/errors.ts'
import type { RedisLink } from '../models/stores/redis-link.ts'
import type { Sealer } from '../models/stores/sealer.ts'
import { crossError } from '../requests/call.ts'
import { type FinalStatus, jobViewOf } from './job.ts'
import type { JobQueue, RunJob } from './job-queue.ts'
import type { JobStore } from './job-store.ts'
import { createJobs, type Jobs, type JobsParts } from './jobs.ts'
import { memoryQueue } from './memory-queue.ts'
import { memoryJobStore } from './memory-store.ts'
import type { JobsOptions } from './options.ts'
import { redisJobStore } from './replicas/redis-store.ts'
import { sharedQueue } from './replicas/shared-queue.ts'
import { sharedJobStore } from './replicas/shared-store.ts'
import { type JobRunnerOptions, runJob } from './run-job.ts'
import { webhookMessage } from './webhook.ts'
import { memoryWebhooks, noWebhook, type WebhookSender } from './webhook-sender.ts'

export interface JobsSetup extends Pick<JobRunnerOptions, 'clock' | 'run' | 'foreseen'> {
  readonly options: JobsOptions
  /** Where jobs belong to all replicas; without it they stay in this process. */
  readonly shared?: { readonly link: RedisLink; readonly sealer: Sealer; readonly timeoutMs: number } | undefined
  /** May the same request succeed later? Then its failure is not remembered under an Idempotency-Key. */
  readonly isRetryable: JobsParts['isRetryable']
  readonly onFinished: (status: FinalStatus) => void
  readonly onWebhookGivenUp: (messageId: string, cause: string) => void
}

/** Ties store, queue, runner and webhook together. */
export async function startJobs(setup: JobsSetup): Promise<Jobs> {
  const { options, shared, clock } = setup
  const webhooks = await webhooksOf(setup)
  const local = memoryJobStore({ ...options, clock })
  const onOver = async (id: string, status: FinalStatus) => {
    setup.onFinished(status)
    const record = await store.read(id)
    if (record !== undefined)
      await webhooks.send(webhookMessage(jobViewOf(record), new Date(clock.now()).toISOString()))
  }
  const run: RunJob = (id, isAgain) => runJob(id, isAgain, { ...setup, store, onFinished: onOver })
  const alone = memoryQueue({ ...options, run })
  let store: JobStore = local
  let queue: JobQueue = alone
  if (shared !== undefined) {
    const { link, sealer, timeoutMs } = shared
    const onExhausted = async (id: string) => {
      const end = { error: crossError(exhausted(options.attempts)) }
      if (await store.finish(id, { status: 'failed', end, finishedAt: clock.now() })) await onOver(id, 'failed')
    }
    // Half a second of modules that a process without Redis does not need.
    const { bullQueue } = await import('./replicas/bull-queue.ts')
    queue = sharedQueue(link, bullQueue({ ...options, link, timeoutMs, run, onExhausted }), alone)
    const redis = redisJobStore({ ...options, link, sealer })
    store = sharedJobStore({ ...options, link, redis, local, clock, onLost: (id) => queue.restore(id) })
  }
  return createJobs({
    store,
    queue,
    clock,
    isRetryable: setup.isRetryable,
    onCancelled: (id) => onOver(id, 'cancelled'),
    close: async () => {
      await Promise.all([store.close(), webhooks.close()])
    },
  })
}

async function webhooksOf({
  options: { webhook },
  shared,
  clock,
  onWebhookGivenUp,
}: JobsSetup): Promise<WebhookSender> {
  if (webhook === undefined) return noWebhook
  const sender = { webhook, clock, onGivenUp: onWebhookGivenUp }
  if (shared === undefined) return memoryWebhooks(sender)
  const { bullWebhooks } = await import('./replicas/bull-webhooks.ts')
  return bullWebhooks(shared.link, sender)
}

const exhausted = (attempts: number): RecapdError =>
  new RecapdError(
    'overloaded',
    `The replica that ran this job died, and jobs.attempts (${attempts}) allows no other start; send the request again.`,
  )
