import { z } from 'zod'

const positive = z.int().positive()
const milliseconds = z.int().nonnegative()

/** Dollars per one million tokens. */
const price = z.strictObject({ input: z.number().nonnegative(), output: z.number().nonnegative() })

const modelOptions = z.strictObject({
  contextWindow: positive.optional().describe('tokens; without it a table by model family, else 32768'),
  maxOutputTokens: positive.optional(),
  price: price.optional(),
  reasoningEffort: z.string().min(1).optional(),
  tokenParameter: z.enum(['max_tokens', 'max_completion_tokens']).optional(),
})

const httpUrl = z.url({ protocol: /^https?$/ })
const headers = z.record(z.string(), z.string())
const apiKeys = z.array(z.string().min(1))
const maxConcurrency = positive.default(64)
const queue = z
  .strictObject({ maxSize: z.int().nonnegative().default(256), maxWaitMs: milliseconds.default(30_000) })
  .prefault({})

const openaiProvider = z.strictObject({
  type: z.literal('openai-compatible'),
  baseUrl: httpUrl,
  apiKeys: apiKeys.optional(),
  apiKeysFile: z.string().min(1).optional(),
  maxConcurrency,
  queue,
  headers: headers.optional(),
  models: z.record(z.string(), modelOptions).refine((models) => Object.keys(models).length > 0, 'at least one model'),
})

const remoteProvider = z.strictObject({
  type: z.literal('remote'),
  url: httpUrl,
  apiKeys: apiKeys.optional(),
  apiKeysFile: z.string().min(1).optional(),
  maxConcurrency,
  queue,
  headers: headers.optional(),
  contextWindow: positive.default(128_000),
  maxOutputTokens: positive.optional(),
})

/** Most providers speak OpenAI chat, so `type` may be left out. */
const provider = z.preprocess(
  (value) =>
    typeof value === 'object' && value !== null && !('type' in value) ? { type: 'openai-compatible', ...value } : value,
  z.discriminatedUnion('type', [openaiProvider, remoteProvider]),
)

const mixture = z.strictObject({
  references: z.array(z.string()).min(1),
  aggregator: z.string(),
  minSuccessful: positive.default(1),
  referenceTimeoutMs: positive.optional().describe('default: timeouts.attemptMs'),
})

/** The part of the configuration that the models floor reads (models.md §1). */
export const modelsOptions = {
  timeouts: z
    .strictObject({
      requestMs: positive.default(170_000),
      attemptMs: positive.default(120_000),
      firstTokenMs: positive.default(60_000),
      connectMs: positive.default(5_000),
    })
    .prefault({}),
  providers: z
    .record(z.string().regex(/^[A-Za-z0-9._-]+$/, 'letters, digits, dot, dash, underscore'), provider)
    .default({}),
  moa: z.record(z.string().regex(/^[A-Za-z0-9._-]+$/), mixture).default({}),
  candidates: z.array(z.string().min(1)).min(1).optional(),
  retry: z
    .strictObject({
      maxAttempts: positive.default(3),
      baseDelayMs: milliseconds.default(1_000),
      maxDelayMs: milliseconds.default(30_000),
      budgetRatio: z.number().min(0).max(1).default(0.2),
    })
    .prefault({}),
  breaker: z.strictObject({ failureThreshold: positive.default(5), cooldownMs: positive.default(30_000) }).prefault({}),
  hedge: z.strictObject({ enabled: z.boolean().default(false), afterMs: positive.default(15_000) }).prefault({}),
  cache: z
    .strictObject({ ttlMs: milliseconds.default(600_000), maxBytes: z.int().nonnegative().default(67_108_864) })
    .prefault({}),
  fold: z
    .strictObject({ mode: z.enum(['parallel', 'sequential']).default('parallel'), concurrency: positive.default(4) })
    .prefault({}),
  audit: z.strictObject({ summarize: z.boolean().default(true) }).prefault({}),
  redis: z.strictObject({ url: z.string().default('').describe('empty: no Redis') }).prefault({}),
}

export type ProviderOptions = z.output<typeof provider>
export type OpenaiProviderOptions = z.output<typeof openaiProvider>
export type RemoteProviderOptions = z.output<typeof remoteProvider>
export type ModelOptions = z.output<typeof modelOptions>
export type MixtureOptions = z.output<typeof mixture>
const shape = z.object(modelsOptions)
/** As the chain takes it: candidates resolved, every key file read. */
export type ModelsOptions = Omit<z.output<typeof shape>, 'candidates'> & { readonly candidates: readonly string[] }
