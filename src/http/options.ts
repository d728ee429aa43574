import { z } from 'zod'
import { baseUrl } from '../domain/http-url.ts'
import { trustProxyOption } from './trust-proxy.ts'

const rateLimit = z.strictObject({
  max: z.int().positive().default(600).describe('requests a window, per key (per address without keys)'),
  windowMs: z.int().positive().default(60_000).describe('length of the window'),
})

const apiKey = z.strictObject({
  name: z.string().regex(/^[A-Za-z0-9._-]{1,64}$/, 'a short name of letters, digits, dot, dash, underscore'),
  sha256: z
    .string()
    .regex(/^[0-9a-fA-F]{64}$/, 'the hex SHA-256 of the key')
    .transform((hex) => hex.toLowerCase()),
  rateLimit: rateLimit.optional(),
  models: z.array(z.string().min(1)).default(['*']).describe('globs over candidate ids'),
  endpoints: z.array(z.string().min(1)).default(['*']).describe('globs over paths'),
  weight: z.number().positive().max(1_000).default(1).describe('share of turns in queues, relative to other keys'),
  maxConcurrency: z.int().positive().optional().describe('model calls of this key at once'),
  budget: z
    .strictObject({
      usd: z.number().positive().optional(),
      tokens: z.int().positive().optional(),
      per: z.enum(['day', 'month']),
    })
    .refine(({ usd, tokens }) => usd !== undefined || tokens !== undefined, 'needs usd or tokens')
    .optional()
    .describe('when it is used up, 429 until the next day or month of UTC'),
  admin: z.boolean().default(false).describe('sees what all keys use'),
})

const proxyUpstream = z.strictObject({
  url: baseUrl.describe('base URL of the provider'),
  speaks: z.enum(['anthropic', 'openai', 'gemini']).describe('its API: what a compaction call looks like there'),
})

/** The part of the configuration that the HTTP floor reads (docs/spec/models.md §1). */
export const httpOptions = {
  server: z
    .strictObject({
      host: z.string().min(1).default('127.0.0.1').describe('address to listen on; also HOST'),
      port: z.int().min(0).max(65_535).default(8484).describe('also PORT'),
      adminPort: z.int().min(0).max(65_535).nullable().default(null).describe('metrics on a port of their own'),
      docs: z.boolean().default(true).describe('serve /docs and the playground'),
      bodyLimitBytes: z.int().positive().default(67_108_864).describe('one body, after inflating'),
      maxValues: z
        .int()
        .positive()
        .default(4_000_000)
        .describe('values (objects, lists, texts, numbers) one body may hold; beyond it 413'),
      maxInflightBytes: z.int().positive().default(268_435_456).describe('all bodies held at once; beyond it 503'),
      drainDelayMs: z.int().nonnegative().default(5_000).describe('after SIGTERM: work is still taken this long'),
      drainMs: z.int().nonnegative().default(175_000).describe('then: accepted work may finish this long'),
      keepAliveMs: z
        .int()
        .positive()
        .max(2_147_483_647)
        .default(65_000)
        .describe('how long idle connections are kept: longer than the load balancer in front keeps them'),
      trustProxy: trustProxyOption,
      publicOperations: z.boolean().default(false).describe('metrics and docs need no key off loopback either'),
    })
    .prefault({}),
  auth: z.strictObject({ keys: z.array(apiKey).default([]) }).prefault({}),
  rateLimit: rateLimit.prefault({}),
  proxy: z
    .record(
      z.string().regex(/^[A-Za-z0-9._-]{1,64}$/, 'a short name of letters, digits, dot, dash, underscore'),
      proxyUpstream,
    )
    .default({})
    .describe('providers that agents reach under /proxy/<name>; none: off'),
}

export type ApiKeyOptions = z.output<typeof apiKey>
export type ProxyUpstream = z.output<typeof proxyUpstream>
export type RateLimitOptions = z.output<typeof rateLimit>
const shape = z.object(httpOptions)
export type HttpOptions = z.output<typeof shape>
