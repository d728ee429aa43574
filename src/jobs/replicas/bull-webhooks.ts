import { Queue, Worker } from 'bullmq'
import type { RedisLink } from '../../models/stores/redis-link.ts'
import { sendWebhook, WEBHOOK_ATTEMPTS, WEBHOOK_BACKOFF_MS, type WebhookMessage } from '../webhook.ts'
import { causeOf, memoryWebhooks, type WebhookSender, type WebhookSenderOptions } from '../webhook-sender.ts'
import { queuePrefix, withinMs } from './bull-queue.ts'

const CONCURRENCY = 4
const CLOSE_WITHIN_MS = 3_000

/** Messages wait in Redis, so that they outlive the replica that wrote them. They hold no word of a conversation. */
export function bullWebhooks(link: RedisLink, options: WebhookSenderOptions): WebhookSender {
  const { webhook, clock, onGivenUp } = options
  const prefix = queuePrefix(link)
  const alone = memoryWebhooks(options)
  const queue = new Queue<WebhookMessage>('webhooks', {
    prefix,
    connection: link.connect({ maxRetriesPerRequest: null }),
    defaultJobOptions: {
      attempts: WEBHOOK_ATTEMPTS,
      backoff: { type: 'exponential', delay: WEBHOOK_BACKOFF_MS },
      removeOnComplete: true,
      removeOnFail: true,
    },
  })
  const worker = new Worker<WebhookMessage>('webhooks', ({ data }) => sendWebhook(data, webhook, clock.now()), {
    prefix,
    connection: link.connect({ maxRetriesPerRequest: null }),
    concurrency: CONCURRENCY,
  })
  queue.on('error', () => {})
  worker.on('error', () => {})
  worker.on('failed', (job, error) => {
    if (job !== undefined && job.attemptsMade >= WEBHOOK_ATTEMPTS) onGivenUp(job.data.id, causeOf(error))
  })
  return {
    async send(message) {
      if (!link.isUp()) return alone.send(message)
      await queue.add('tell', message, { jobId: message.id })
    },
    async close() {
      await withinMs(Promise.all([worker.close(), queue.close(), alone.close()]), CLOSE_WITHIN_MS)
    },
  }
}
