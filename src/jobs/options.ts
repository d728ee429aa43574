import { z } from 'zod'
import { httpUrl } from '../domain/http-url.ts'

const secret = z.string().min(16, 'at least 16 characters; `openssl rand -hex 32` makes a good one')
const positive = z.int().positive()
const milliseconds = positive.max(2_147_483_647)

const webhook = z.strictObject({
  url: httpUrl.describe('is notified of finished jobs'),
  secret: z
    .string()
    .regex(/^(whsec_)?[A-Za-z0-9+/]{22,}={0,2}$/, 'whsec_ and at least 16 bytes in base64')
    .describe('signs the notifications (Standard Webhooks): whsec_ and base64'),
})

/** Work that outlives its connection (docs/spec/production.md §2). */
export const jobsOptions = z.strictObject({
  secret: z
    .union([secret, z.tuple([secret], secret)])
    .optional()
    .describe('with Redis: encrypts what is kept there; a list while it is being replaced, whose first one encrypts'),
  ttlMs: milliseconds.default(3_600_000).describe('how long a finished job and an Idempotency-Key are remembered'),
  concurrency: positive.default(32).describe('jobs that run at once in this process'),
  maxWaiting: z.int().nonnegative().default(256).describe('jobs that may wait; beyond it 503'),
  maxBytes: z.int().nonnegative().default(67_108_864).describe('of finished jobs kept in this process'),
  attempts: positive.default(2).describe('starts of one job whose replica died (with Redis)'),
  stalledMs: positive
    .min(1_000)
    .max(600_000)
    .default(30_000)
    .describe('silence of a replica after which another takes its jobs'),
  webhook: webhook.optional(),
})

export type JobsOptions = z.output<typeof jobsOptions>
export type WebhookOptions = z.output<typeof webhook>

/** All secrets, the writing one first; undefined where there is none. */
export function jobSecrets({ secret: secrets }: JobsOptions): readonly [string, ...string[]] | undefined {
  return typeof secrets === 'string' ? [secrets] : secrets
}
