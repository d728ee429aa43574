import { z } from 'zod'
import { baseUrl, httpUrl } from '../domain/http-url.ts'
import { redisOptions } from './stores/redis-options.ts'

const positive = z.int().positive()
// Node's timers end here: a longer one would fire at once.
const milliseconds = z.int().nonnegative().max(2_147_483_647)
const positiveMs = milliseconds.min(1)

/** Dollars per one million tokens. */
const price = z.strictObject({
  input: z.number().nonnegative().describe('dollars per million input tokens'),
  output: z.number().nonnegative().describe('dollars per million output tokens'),
})

const modelOptions = z.strictObject({
  contextWindow: positive.optional().describe('tokens; default by model family, else 32768 with a warning'),
  maxOutputTokens: positive.optional().describe('cap of one answer'),
  price: price.optional(),
  reasoningEffort: z.string().min(1).optional().describe('sent as reasoning_effort where it is set'),
  tokenParameter: z
    .enum(['max_tokens', 'max_completion_tokens'])
    .optional()
    .describe('name of the token cap; found out automatically'),
})

const headers = z.record(z.string(), z.string())
const apiKeys = z.array(z.string().min(1))
const maxConcurrency = positive.default(64).describe('calls at once, over all its models')
const queue = z
  .strictObject({
    maxSize: z.int().nonnegative().default(256).describe('calls that may wait for a slot'),
    maxWaitMs: milliseconds.default(30_000).describe('how long one waits'),
  })
  .prefault({})

const openaiProvider = z.strictObject({
  type: z.literal('openai-compatible'),
  baseUrl: baseUrl.describe('OpenAI-compatible endpoint, with its /v1'),
  apiKeys: apiKeys.optional(),
  apiKeysFile: z.string().min(1).optional().describe('a file with keys, one a line'),
  maxConcurrency,
  queue,
  headers: headers.optional(),
  models: z.record(z.string(), modelOptions).refine((models) => Object.keys(models).length > 0, 'at least one model'),
})

const remoteProvider = z.strictObject({
  type: z.literal('remote'),
  url: httpUrl.describe('an endpoint that takes {systemPrompt, prompt}'),
  apiKeys: apiKeys.optional(),
  apiKeysFile: z.string().min(1).optional().describe('a file with keys, one a line'),
  maxConcurrency,
  queue,
  headers: headers.optional(),
  contextWindow: positive.default(128_000).describe('tokens it can take'),
  maxOutputTokens: positive.optional().describe('cap of one answer'),
})

/** Most providers speak OpenAI chat, so `type` may be left out. */
const provider = z.preprocess(
  (value) =>
    typeof value === 'object' && value !== null && !('type' in value) ? { type: 'openai-compatible', ...value } : value,
  z.discriminatedUnion('type', [openaiProvider, remoteProvider]),
)

const mixture = z.strictObject({
  references: z.array(z.string()).min(1),
  aggregator: z.string().describe('model that makes one summary of theirs'),
  minSuccessful: positive.default(1).describe('fewer answers than this fail the mixture'),
  referenceTimeoutMs: positiveMs.optional().describe('default: timeouts.attemptMs'),
})

/** The part of the configuration that the models floor reads (docs/spec/models.md §1). */
export const modelsOptions = {
  timeouts: z
    .strictObject({
      requestMs: positiveMs.default(170_000).describe('whole request; a client may only shorten it'),
      attemptMs: positiveMs.default(120_000).describe('one try of one model'),
      firstTokenMs: positiveMs.default(60_000).describe('silence before the first token'),
      orphanAfterMs: milliseconds
        .default(20_000)
        .describe('a caller that leaves later has not cancelled: its flight is finished for the retry'),
      connectMs: positiveMs.default(5_000).describe('opening a connection'),
    })
    .prefault({}),
  providers: z
    .record(z.string().regex(/^[A-Za-z0-9._-]+$/, 'letters, digits, dot, dash, underscore'), provider)
    .default({}),
  moa: z.record(z.string().regex(/^[A-Za-z0-9._-]+$/), mixture).default({}),
  candidates: z.array(z.string().min(1)).min(1).optional(),
  retry: z
    .strictObject({
      maxAttempts: positive.default(3).describe('tries of one model that failed for a passing reason'),
      baseDelayMs: milliseconds.default(1_000).describe('doubled each time, with full jitter'),
      maxDelayMs: milliseconds.default(30_000).describe('a longer hint is not waited for: next candidate'),
      budgetRatio: z.number().min(0).max(1).default(0.2).describe('retries a provider may cost, per request'),
    })
    .prefault({}),
  breaker: z
    .strictObject({
      failureThreshold: positive.default(5).describe('faults in a row that open it'),
      cooldownMs: positiveMs.default(30_000).describe('until one probe is let through'),
    })
    .prefault({}),
  hedge: z
    .strictObject({
      enabled: z
        .boolean()
        .default(false)
        .describe('start the next candidate beside a silent one (at most 5 % of requests)'),
      afterMs: positiveMs.default(15_000).describe('silence after which it starts'),
    })
    .prefault({}),
  cache: z
    .strictObject({
      ttlMs: milliseconds.default(600_000).describe('how long an answer is given again; 0: not at all'),
      maxBytes: z.int().nonnegative().default(67_108_864).describe('of answers kept in this process'),
    })
    .prefault({}),
  fold: z
    .strictObject({
      mode: z
        .enum(['parallel', 'sequential'])
        .default('parallel')
        .describe('parts side by side and merged, or one after the other'),
      concurrency: positive
        .optional()
        .describe('parts at once, per request; default: as many as the provider has free places for, at least 4'),
    })
    .prefault({}),
  audit: z
    .strictObject({ summarize: z.boolean().default(true).describe('check headings and hard facts on /summarize too') })
    .prefault({}),
  redis: redisOptions,
}

export type ProviderOptions = z.output<typeof provider>
export type ModelOptions = z.output<typeof modelOptions>
const shape = z.object(modelsOptions)
/** As the chain takes it: candidates resolved, every key file read. */
export type ModelsOptions = Omit<z.output<typeof shape>, 'candidates'> & { readonly candidates: readonly string[] }
