import { z } from 'zod'
import { chatCompletionRequest, chatCompletionResult } from '../../pipelines/prompt/chat-completions-schema.ts'
import { summarizeRequest, summarizeResult } from '../../pipelines/prompt/summarize-schema.ts'
import { COMMON_PROBLEMS, MODEL_PROBLEMS, type Operation } from './operation.ts'
import { SESSION_OPERATIONS } from './session-operations.ts'

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
    problems: [...COMMON_PROBLEMS, ...MODEL_PROBLEMS],
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
    problems: [...COMMON_PROBLEMS, ...MODEL_PROBLEMS],
  },
  ...SESSION_OPERATIONS,
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
