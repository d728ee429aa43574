import { readHistory } from '../../domain/dialects/prompt-frames/read-history.ts'
import { RecapdError } from '../../domain/errors.ts'
import { asksForSummary } from '../../domain/text/structure/summary-request.ts'
import { parsePrompt } from '../../domain/transcript/parse-prompt.ts'
import type { Completion } from '../../models/model.ts'
import type { PipelineCall } from '../pipeline-context.ts'
import type { ChatCompletionRequest, ChatCompletionResult } from './chat-completions-schema.ts'
import { type Summarized, summarize } from './summarize.ts'
import { summarizeHistory } from './summarize-history.ts'

/** OpenAI's answer around a checked summary; `created` is in seconds. */
export async function chatCompletions(
  { request, context, deps, emit }: PipelineCall<ChatCompletionRequest>,
  signal: AbortSignal,
): Promise<ChatCompletionResult & { readonly cache: Completion['cache'] }> {
  if (request.stream === true) emit?.({ name: 'stream', data: {} })
  const result = await summarized({ request, context, deps }, signal)
  const { inputTokens, outputTokens } = result.usage
  return {
    id: `chatcmpl-${context.requestId}`,
    object: 'chat.completion',
    created: Math.floor(deps.now() / 1000),
    model: result.model,
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content: result.summary, refusal: null },
        finish_reason: 'stop',
        logprobs: null,
      },
    ],
    usage: { prompt_tokens: inputTokens, completion_tokens: outputTokens, total_tokens: inputTokens + outputTokens },
    cache: result.cache,
  }
}

/** A history is a conversation; one thing that one user says is a prompt. */
function summarized(
  { request, context, deps }: PipelineCall<ChatCompletionRequest>,
  signal: AbortSignal,
): Promise<Summarized> {
  const maxTokens = request.max_completion_tokens ?? request.max_tokens ?? undefined
  // Agents send model ids of their own here: what is not configured means the default chain (models.md §10).
  const model = deps.models.known.some(({ id }) => id === request.model) ? request.model : undefined
  const history = readHistory(request.messages)
  if (history !== null) return summarizeHistory({ request: { ...history, maxTokens, model }, context, deps }, signal)
  return summarize({ request: { ...promptsOf(request.messages), maxTokens, model }, context, deps }, signal)
}

/** Its chunks, where a stream was asked for: a stream cannot take back a failed attempt, so they come from the checked answer. */
export function chunksOf(completion: ChatCompletionResult): object[] {
  const { id, created, model, usage } = completion
  const chunk = (delta: object, finish_reason: 'stop' | null, more: object = {}) => ({
    id,
    object: 'chat.completion.chunk',
    created,
    model,
    choices: [{ index: 0, delta, finish_reason, logprobs: null }],
    ...more,
  })
  return [
    chunk({ role: 'assistant', content: '' }, null),
    ...piecesOf(completion.choices[0]?.message.content ?? '').map((content) => chunk({ content }, null)),
    chunk({}, 'stop', { usage }),
  ]
}

/** Pieces of some hundred characters, never cut inside a surrogate pair. */
function piecesOf(text: string): string[] {
  return text.match(/.{1,512}/gsu) ?? []
}

type Messages = ChatCompletionRequest['messages']

/** One system and one user text map straight; where the system text holds the conversation, both are the prompt. */
function promptsOf(messages: Messages): { systemPrompt: string; prompt: string } {
  const isSystem = ({ role }: Messages[number]) => role === 'system' || role === 'developer'
  const systemPrompt = messages.filter(isSystem).map(textOf).join('\n\n')
  const prompt = messages
    .filter((message) => !isSystem(message))
    .map(textOf)
    .join('\n\n')
  if (prompt.trim() === '') {
    throw new RecapdError(
      'invalid-request',
      'messages: no message but the system prompt has a text; send the prompt as a user message.',
      {
        errors: [{ path: '/messages', message: 'expected a user message with a text' }],
      },
    )
  }
  const isInSystem = asksForSummary(prompt) && parsePrompt(prompt) === null && parsePrompt(systemPrompt) !== null
  return isInSystem ? { systemPrompt: '', prompt: `${systemPrompt}\n\n${prompt}` } : { systemPrompt, prompt }
}

function textOf({ content }: Messages[number]): string {
  if (content == null) return ''
  return typeof content === 'string' ? content : content.map((part) => part.text ?? '').join('')
}
