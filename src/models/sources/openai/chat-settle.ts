import { mostTextTokens, textTokens } from '../../../domain/tokens/text-tokens.ts'
import type { Confidential } from '../../failures/provider-words.ts'
import type { HeaderReader } from '../../failures/retry-hint.ts'
import type { AttemptOutcome, Completion, CompletionRequest, Usage } from '../../model.ts'
import { ModelError } from '../../model-error.ts'
import { promptTokens } from '../../prompt.ts'
import { failedAttempt } from '../../transport/response-error.ts'
import { sourceAnswer } from '../source-answer.ts'
import type { ChatAnswer } from './chat-answer.ts'

/** Dollars per 1M tokens. */
export interface Price {
  readonly input: number
  readonly output: number
}

export interface SettleOptions {
  readonly model: string
  readonly price: Price | undefined
  readonly nowMs: number
  readonly headers: HeaderReader
}

/** The request that was answered, and the key it was made with. */
interface Settled extends Confidential {
  readonly request: CompletionRequest
}

/** Nobody serves a smaller window; a smaller count is a cache that reports only new tokens (old Ollama), or a made-up one. */
const SMALLEST_WINDOW_TOKENS = 1024
/** Under this an estimate is too rough to accuse anybody. */
const ESTIMATE_FROM_TOKENS = 2000

/** What a 200 is worth (docs/spec/models.md §2): a Completion, or the ModelError its content amounts to. Throws ModelError. */
export function settleAnswer(answer: ChatAnswer, { request, keys }: Settled, options: SettleOptions): Completion {
  if (answer.error !== undefined) {
    const { model, nowMs, headers } = options
    const failure = { status: 200, body: answer.error, headers }
    throw failedAttempt({ model, failure, nowMs }, { keys, request })
  }
  const completion = completionOf(answer, request, options)
  const isBlank = answer.text.trim() === ''
  const outcome = outcomeOf(answer, isBlank, request)
  if (outcome === 'ok') return completion
  throw new ModelError(options.model, outcome, {
    status: 200,
    usage: answer.promptTokens === undefined && isBlank ? undefined : completion.usage,
    partial: outcome === 'truncated' && !isBlank ? { ...completion, truncated: true } : undefined,
  })
}

function outcomeOf(answer: ChatAnswer, isBlank: boolean, request: CompletionRequest): AttemptOutcome {
  const { finish } = answer
  if (finish === 'refused') return 'refused'
  if (finish === 'overflow' || wasCutSilently(answer.promptTokens, request)) return 'overflow'
  // Blank with `length`: the reasoning ate the budget, and twice as much may be enough (docs/bug-log.md B034).
  if (isBlank) return BLANK[finish] ?? 'empty'
  if (finish === 'error') return 'server_error'
  return finish === 'length' ? 'truncated' : 'ok'
}

const BLANK: Partial<Record<ChatAnswer['finish'], 'truncated' | 'server_error'>> = {
  length: 'truncated',
  error: 'server_error',
}

function completionOf(answer: ChatAnswer, request: CompletionRequest, { model, price }: SettleOptions): Completion {
  return sourceAnswer({
    text: answer.text,
    model,
    usage: usageOf(answer, request, price),
    method: 'model',
  })
}

function usageOf(answer: ChatAnswer, request: CompletionRequest, price: Price | undefined): Usage {
  const inputTokens = answer.promptTokens ?? textTokens(request.system) + promptTokens(request.prompt)
  const outputTokens = answer.completionTokens ?? textTokens(answer.text)
  const costUsd = price === undefined ? 0 : (inputTokens * price.input + outputTokens * price.output) / 1e6
  return { inputTokens, outputTokens, costUsd }
}

/**
 * Ollama and its like cut a prompt to their window and answer as if nothing had happened (docs/spec/models.md §1): the count is
 * under half of what was sent. It is believed only where it could be a window at all.
 */
function wasCutSilently(counted: number | undefined, request: CompletionRequest): boolean {
  if (counted === undefined || counted < SMALLEST_WINDOW_TOKENS) return false
  // Most answers need no counting.
  if (counted * 2 >= mostTextTokens(request.system) + request.prompt.mostTokens) return false
  const estimate = textTokens(request.system) + promptTokens(request.prompt)
  return estimate >= ESTIMATE_FROM_TOKENS && counted < estimate / 2
}
