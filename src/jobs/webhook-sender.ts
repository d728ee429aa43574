import { errnoOf } from '../domain/errno-of.ts'
import type { Clock } from '../models/clock.ts'
import type { WebhookOptions } from './options.ts'
import { sendWebhook, WEBHOOK_ATTEMPTS, WEBHOOK_BACKOFF_MS, type WebhookMessage } from './webhook.ts'

/** Brings messages to the operator's receiver, again and again until it takes them. */
export interface WebhookSender {
  send(message: WebhookMessage): Promise<void>
  close(): Promise<void>
}

export interface WebhookSenderOptions {
  readonly webhook: WebhookOptions
  readonly clock: Clock
  /** Called once for a message whose receiver failed for good. */
  readonly onGivenUp: (messageId: string, cause: string) => void
}

export const noWebhook: WebhookSender = { send: async () => {}, close: async () => {} }

/** Without Redis the messages wait in this process, and go with it. */
export function memoryWebhooks({ webhook, clock, onGivenUp }: WebhookSenderOptions): WebhookSender {
  const closed = new AbortController()
  const deliver = async (message: WebhookMessage) => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await sendWebhook(message, webhook, clock.now())
      } catch (error) {
        if (attempt >= WEBHOOK_ATTEMPTS) return onGivenUp(message.id, causeOf(error))
      }
      await clock.sleep(WEBHOOK_BACKOFF_MS * 2 ** (attempt - 1), closed.signal)
    }
  }
  return {
    async send(message) {
      deliver(message).catch(() => {})
    },
    async close() {
      closed.abort()
    },
  }
}

export function causeOf(error: unknown): string {
  const isOurs = error instanceof Error && error.message.startsWith('The receiver')
  return errnoOf(error) ?? (isOurs ? error.message : 'it cannot be reached')
}
