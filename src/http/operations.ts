import { z } from 'zod'
import type { ErrorCode } from '../domain/errors.ts'
import { chatCompletionRequest, chatCompletionResult } from '../pipelines/chat-completions-schema.ts'
import {
  checkRequest,
  checkResult,
  contextRequest,
  contextResult,
  pruneRequest,
  pruneResult,
} from '../pipelines/check-schema.ts'
import { compactMessagesResult, compactRequest, compactSessionResult } from '../pipelines/compact-schema.ts'
import { summarizeRequest, summarizeResult } from '../pipelines/summarize-schema.ts'

/** One endpoint as openapi.yaml describes it. */
export interface Operation {
  readonly method: 'get' | 'post'
  readonly path: string
  readonly operationId: string
  readonly tag: 'summaries' | 'sessions' | 'operations'
  readonly summary: string
  readonly description?: string
  readonly request?: z.ZodType
  readonly example?: unknown
  readonly ndjson?: boolean
  readonly parameters?: readonly object[]
  readonly response?: z.ZodType
  readonly responseType?: string
  /** What a stream sends when `Accept: text/event-stream` asks for one. */
  readonly events?: string
  readonly cacheHeader?: boolean
  readonly access?: 'open'
  readonly problems: readonly ErrorCode[]
}

/** Problems any work request can meet. */
const COMMON: readonly ErrorCode[] = [
  'invalid-json',
  'invalid-request',
  'unauthorized',
  'forbidden',
  'request-timeout',
  'body-too-large',
  'unsupported-media-type',
  'unknown-model',
  'rate-limited',
  'headers-too-large',
  'internal',
  'overloaded',
  'draining',
  'deadline-exceeded',
]

/** Problems of a request that asks models. */
const MODEL: readonly ErrorCode[] = ['nothing-fits', 'models-unusable', 'models-failed', 'no-model-available']

/** Problems of the entries themselves. */
const SESSION: readonly ErrorCode[] = ['unknown-leaf', 'broken-tree', 'no-entries']

const health = z.object({ status: z.string() })

export const OPERATIONS: readonly Operation[] = [
  {
    method: 'post',
    path: '/summarize',
    operationId: 'summarize',
    tag: 'summaries',
    summary: 'Answer one summarisation prompt',
    description:
      "The target of omp's and pi's `compaction.remoteEndpoint`. A prompt that holds a `<conversation>` block may be longer than any model's window: it is summarised in parts and merged.",
    request: summarizeRequest,
    example: {
      systemPrompt: 'You summarise conversations.',
      prompt: '<conversation>\n[User]: Rename the queue.\n</conversation>\n\nSummarise it under the heading ## Goal.',
    },
    response: summarizeResult,
    events:
      'Events `attempt`, `delta {text}`, `reset` (discard the deltas so far), then `done` (the JSON answer) or `error` (the problem); comment heartbeats every 15 s.',
    cacheHeader: true,
    problems: [...COMMON, ...MODEL],
  },
  {
    method: 'post',
    path: '/v1/chat/completions',
    operationId: 'chatCompletions',
    tag: 'summaries',
    summary: "The same, in OpenAI's chat shape",
    description:
      'For clients that speak OpenAI chat. An unknown `model` means the default chain. With `stream: true` the chunks come once the checked answer exists, heartbeats before.',
    request: chatCompletionRequest,
    example: { messages: [{ role: 'user', content: 'Summarise: the tests moved.' }] },
    response: chatCompletionResult,
    events: "OpenAI's chunks, ending in `[DONE]`; a failure is one `data: {error}`.",
    cacheHeader: true,
    problems: [...COMMON, ...MODEL],
  },
  {
    method: 'post',
    path: '/compact',
    operationId: 'compact',
    tag: 'sessions',
    summary: 'Compact a session or a message list',
    description:
      'Exactly one of `entries` (a pi/omp session) and `messages` (OpenAI chat, Anthropic, Responses). Answers with the compaction entry to append and the context to go on with, or with a smaller list of the same format. `compacted: false` is no failure: `reason` says why nothing changed.',
    request: compactRequest,
    ndjson: true,
    response: z.union([compactSessionResult, compactMessagesResult]),
    events:
      'Events `compaction_start`, `pruned`, `plan`, `attempt {kind}`, `delta {kind, text}`, `reset {kind}`, `summary {kind}`, then `done` (the JSON answer) or `error` (the problem).',
    problems: [...COMMON, ...SESSION, ...MODEL, 'compaction-in-progress', 'attempts-exhausted'],
  },
  {
    method: 'post',
    path: '/check',
    operationId: 'check',
    tag: 'sessions',
    summary: 'Should it be compacted now?',
    description: 'Asks no model. Also classifies a provider error (`lastError`) by the table this service uses itself.',
    request: checkRequest,
    ndjson: true,
    response: checkResult,
    problems: [...COMMON, ...SESSION],
  },
  {
    method: 'post',
    path: '/prune',
    operationId: 'prune',
    tag: 'sessions',
    summary: 'Which old tool output can go?',
    request: pruneRequest,
    ndjson: true,
    response: pruneResult,
    problems: [...COMMON, ...SESSION],
  },
  {
    method: 'post',
    path: '/context',
    operationId: 'context',
    tag: 'sessions',
    summary: 'The context of a leaf, rebuilt from the tree',
    request: contextRequest,
    ndjson: true,
    response: contextResult,
    problems: [...COMMON, ...SESSION],
  },
  {
    method: 'get',
    path: '/v1/models',
    operationId: 'listModels',
    tag: 'summaries',
    summary: 'The models this caller may use, the default chain first',
    response: z.object({
      object: z.literal('list'),
      data: z.array(
        z.object({
          id: z.string(),
          object: z.literal('model'),
          created: z.int(),
          owned_by: z.string(),
          context_window: z.int(),
          max_output_tokens: z.int().optional(),
        }),
      ),
    }),
    problems: ['unauthorized', 'forbidden', 'rate-limited'],
  },
  { ...plain('/livez', 'livez', 'Is the process alive? Asks nobody.'), response: health },
  { ...plain('/healthz', 'healthz', 'The same as /livez.'), response: health },
  {
    ...plain(
      '/readyz',
      'readyz',
      'Does it take work? Stays 200 when every provider is down; the body says how each stands.',
    ),
    response: z.object({
      status: z.string(),
      checks: z.record(z.string(), z.boolean()),
      mode: z.enum(['model', 'degraded']),
      models: z.array(z.object({ id: z.string(), breaker: z.enum(['closed', 'half-open', 'open']) })),
    }),
  },
  {
    ...plain('/version', 'version', 'What runs here.'),
    response: z.object({ name: z.string(), version: z.string(), node: z.string() }),
  },
  { ...plain('/metrics', 'metrics', 'Prometheus metrics.'), responseType: 'text/plain' },
  { ...plain('/openapi.yaml', 'openapiYaml', 'This description.'), responseType: 'application/yaml' },
  {
    ...plain('/openapi.json', 'openapiJson', 'This description as JSON.'),
    response: z.looseObject({ openapi: z.string() }),
  },
]

function plain(path: string, operationId: string, summary: string) {
  return {
    method: 'get',
    path,
    operationId,
    tag: 'operations',
    summary,
    access: 'open',
    problems: ['headers-too-large', 'internal'],
  } as const
}
