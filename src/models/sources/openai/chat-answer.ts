import { isRecord } from '../../../domain/is-record.ts'
/** One answer of a chat provider in our own form, whether it came as JSON or as a stream. */
export interface ChatAnswer {
  readonly text: string
  readonly finish: FinishReason
  /** The provider's own count, where it gave one. */
  readonly promptTokens?: number | undefined
  readonly completionTokens?: number | undefined
  /** An `error` object inside a 200, or of a stream event; classify.ts reads its words. */
  readonly error?: unknown
}

/** Why the answer ended. `unknown`: it did not say. */
export type FinishReason = 'stop' | 'length' | 'refused' | 'overflow' | 'error' | 'unknown'

/** Providers' words for why an answer ended; all others are an ordinary end (`stop`, `eos`, `tool_calls` …). */
const FINISH: ReadonlyMap<string, FinishReason> = new Map<string, FinishReason>([
  ['length', 'length'],
  ['max_tokens', 'length'],
  ['max_output_tokens', 'length'],
  ['content_filter', 'refused'],
  ['content-filter', 'refused'],
  ['refusal', 'refused'],
  ['safety', 'refused'],
  ['recitation', 'refused'],
  ['prohibited_content', 'refused'],
  ['model_context_window_exceeded', 'overflow'], // z.ai says so with status 200 (docs/bug-log.md B171)
  ['error', 'error'],
])

/** Parts of a completion or of one chunk, as far as we read them; everything else a provider sends is ignored. */
interface Wire {
  readonly choices?: unknown
  readonly usage?: unknown
  readonly error?: unknown
}

export interface ChatReaderOptions {
  /** Called with every piece of text; an empty piece is a sign of life without text (reasoning). */
  readonly onText?: ((text: string) => void) | undefined
  /** UTF-8 bytes of text; beyond them `tooMuch` is thrown. */
  readonly most: number
  readonly tooMuch: () => Error
}

/** Collects an answer from one JSON completion (`take` once) or from the chunks of a stream. */
export class ChatReader {
  readonly #options: ChatReaderOptions
  #bytes = 0
  readonly #parts: string[] = []
  #refused = false
  #finish: FinishReason = 'unknown'
  #usage: { prompt?: number; completion?: number } = {}
  #error: unknown

  constructor(options: ChatReaderOptions) {
    this.#options = options
  }

  /** True once the answer said how it ended. */
  get ended(): boolean {
    return this.#finish !== 'unknown' || this.#error !== undefined
  }

  take(value: unknown): void {
    const wire: Wire = isRecord(value) ? value : {}
    if (wire.error !== undefined && wire.error !== null) this.#error ??= wire.error
    this.#takeUsage(wire.usage)
    const choice: unknown = Array.isArray(wire.choices) ? wire.choices[0] : undefined
    if (!isRecord(choice)) return
    const message = choice['delta'] ?? choice['message']
    if (isRecord(message)) this.#takeMessage(message)
    if (choice['error'] !== undefined && choice['error'] !== null) this.#error ??= choice['error']
    const word = choice['finish_reason']
    if (typeof word === 'string' && word !== '') this.#finish = FINISH.get(word.toLowerCase()) ?? 'stop'
  }

  answer(): ChatAnswer {
    const { prompt, completion } = this.#usage
    return {
      text: this.#parts.length === 1 ? (this.#parts[0] ?? '') : this.#parts.join(''),
      finish: this.#refused ? 'refused' : this.#finish,
      promptTokens: prompt,
      completionTokens: completion,
      error: this.#error,
    }
  }

  #takeMessage(message: Record<string, unknown>): void {
    const text = textOf(message['content'])
    if (text !== '') {
      this.#bytes += Buffer.byteLength(text)
      if (this.#bytes > this.#options.most) throw this.#options.tooMuch()
      this.#parts.push(text)
    }
    const { refusal } = message
    if (typeof refusal === 'string' && refusal.trim() !== '') this.#refused = true
    if (text !== '' || message['reasoning_content'] || message['reasoning']) this.#options.onText?.(text)
  }

  #takeUsage(usage: unknown): void {
    if (!isRecord(usage)) return
    const { prompt_tokens: prompt, completion_tokens: completion } = usage
    if (isCount(prompt)) this.#usage.prompt = prompt
    if (isCount(completion)) this.#usage.completion = completion
  }
}

/** Content is a string, null, or a list of parts of which only text counts (Mistral streams thinking as parts). */
function textOf(content: unknown): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  return content.map((part) => (isRecord(part) && typeof part['text'] === 'string' ? part['text'] : '')).join('')
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0
}
