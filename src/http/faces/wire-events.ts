import { isRecord } from '../../domain/is-record.ts'
import type { chatCompletionOf, messageOf, responseOf } from '../../pipelines/faces/face-answer.ts'

/** One server-sent event: a JSON body, named where the API names its events. */
export interface WireEvent {
  readonly name?: string | undefined
  readonly data: string
}

/** An event of the Responses API before it is numbered. */
export interface ResponseEvent {
  readonly type: string
  readonly [member: string]: unknown
}

type ChatCompletion = ReturnType<typeof chatCompletionOf>
type Message = ReturnType<typeof messageOf>
type Response = ReturnType<typeof responseOf>

/**
 * Streams are made from the checked answer: a stream cannot take back a failed attempt (docs/spec/models.md §10). These
 * are the chunks of an OpenAI chat completion, its end mark included.
 */
export function chatEvents({ id, created, model, usage, choices }: ChatCompletion): WireEvent[] {
  const chunk = (delta: object, finish_reason: 'stop' | null, more: object = {}) => ({
    id,
    object: 'chat.completion.chunk',
    created,
    model,
    choices: [{ index: 0, delta, finish_reason, logprobs: null }],
    ...more,
  })
  const chunks = [
    chunk({ role: 'assistant', content: '' }, null),
    ...piecesOf(choices[0]?.message.content ?? '').map((content) => chunk({ content }, null)),
    chunk({}, 'stop', { usage }),
  ]
  return [...chunks.map((body) => ({ data: JSON.stringify(body) })), { data: '[DONE]' }]
}

/** The events of an Anthropic message, in Anthropic's order. */
export function messageEvents({ content, usage, ...message }: Message): WireEvent[] {
  return [
    typed('message_start', {
      message: { ...message, content: [], stop_reason: null, usage: { ...usage, output_tokens: 0 } },
    }),
    typed('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }),
    ...piecesOf(content[0]?.text ?? '').map((text) =>
      typed('content_block_delta', { index: 0, delta: { type: 'text_delta', text } }),
    ),
    typed('content_block_stop', { index: 0 }),
    typed('message_delta', {
      delta: { stop_reason: 'end_turn', stop_sequence: null },
      usage: { output_tokens: usage.output_tokens },
    }),
    typed('message_stop', {}),
  ]
}

/** The first event of a stream of the Responses API; also its heartbeat, since comments do not reset Codex's idle timer. */
export function responseBegun(id: string, createdAt: number): { created: ResponseEvent; inProgress: ResponseEvent } {
  const response = {
    id,
    object: 'response',
    created_at: Math.floor(createdAt / 1000),
    status: 'in_progress',
    output: [],
  }
  return { created: { type: 'response.created', response }, inProgress: { type: 'response.in_progress', response } }
}

/** The events of a finished response after `response.created`, without their sequence numbers. */
export function responseEvents(response: Response): ResponseEvent[] {
  return [
    ...response.output.flatMap((item, output_index) => itemEvents(item, output_index)),
    { type: 'response.completed', response },
  ]
}

function itemEvents(item: Readonly<Record<string, unknown>>, output_index: number): ResponseEvent[] {
  const text = textOf(item)
  const done = { type: 'response.output_item.done', output_index, item }
  if (text === null) return [{ type: 'response.output_item.added', output_index, item }, done]
  const at = { item_id: item['id'], output_index, content_index: 0 }
  const part = (words: string) => ({ type: 'output_text', text: words, annotations: [] })
  return [
    { type: 'response.output_item.added', output_index, item: { ...item, status: 'in_progress', content: [] } },
    { type: 'response.content_part.added', ...at, part: part('') },
    ...piecesOf(text).map((delta) => ({ type: 'response.output_text.delta', ...at, delta })),
    { type: 'response.output_text.done', ...at, text },
    { type: 'response.content_part.done', ...at, part: part(text) },
    done,
  ]
}

function textOf(item: Readonly<Record<string, unknown>>): string | null {
  const content = item['content']
  if (item['type'] !== 'message' || !Array.isArray(content)) return null
  const [part]: readonly unknown[] = content
  return isRecord(part) && typeof part['text'] === 'string' ? part['text'] : null
}

const typed = (type: string, body: object): WireEvent => ({ name: type, data: JSON.stringify({ type, ...body }) })

/** Pieces of some hundred characters, never cut inside a surrogate pair. */
export function piecesOf(text: string): string[] {
  return text.match(/.{1,512}/gsu) ?? []
}
