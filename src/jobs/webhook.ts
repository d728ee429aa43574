import { createHmac } from 'node:crypto'
import type { JobView } from './job.ts'
import type { WebhookOptions } from './options.ts'

/** One message, however often it is sent (Standard Webhooks: id, timestamp, signature). */
export interface WebhookMessage {
  readonly id: string
  readonly body: string
}

const TIMEOUT_MS = 10_000

/** When a receiver that failed is tried again: after a second, then doubling, for over a day in all. */
export const WEBHOOK_ATTEMPTS = 16
export const WEBHOOK_BACKOFF_MS = 1_000

/** Tells that a job is over, never what came of it: results are fetched with the key that made the job. */
export function webhookMessage(job: JobView, timestamp: string): WebhookMessage {
  return { id: `msg_${job.id}`, body: JSON.stringify({ type: `job.${job.status}`, timestamp, data: { job } }) }
}

/** Base64 of the HMAC over id, seconds and body, as every library of Standard Webhooks checks it. */
export function signWebhook({ id, body }: WebhookMessage, seconds: number, secret: string): string {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  return `v1,${createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64')}`
}

/** Sends it once. Throws when the receiver did not take it; the message of the error holds neither URL nor secret. */
export async function sendWebhook(
  message: WebhookMessage,
  { url, secret }: WebhookOptions,
  nowMs: number,
): Promise<void> {
  // Loaded by the first message: most services send none.
  const { request } = await import('undici')
  const seconds = Math.floor(nowMs / 1_000)
  const { statusCode, body } = await request(url, {
    method: 'POST',
    body: message.body,
    headers: {
      'content-type': 'application/json',
      'webhook-id': message.id,
      'webhook-timestamp': String(seconds),
      'webhook-signature': signWebhook(message, seconds, secret),
    },
    headersTimeout: TIMEOUT_MS,
    bodyTimeout: TIMEOUT_MS,
    signal: AbortSignal.timeout(TIMEOUT_MS),
  })
  await body.dump()
  if (statusCode < 200 || statusCode > 299) throw new Error(`The receiver of the webhook answered ${statusCode}`)
}
