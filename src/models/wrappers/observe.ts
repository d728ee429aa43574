import { isSkipped } from '../../domain/attempt-row.ts'
import { textTokens } from '../../domain/tokens/text-tokens.ts'
import { utf8Length } from '../../domain/tokens/utf8.ts'
import type { Clock } from '../clock.ts'
import { attemptsOf, usageOfFailure, withAttempts } from '../failures/attempts.ts'
import {
  type AttemptOutcome,
  type AttemptRow,
  type CandidateFacts,
  type Completion,
  type CompletionRequest,
  type Model,
  NO_USAGE,
  type Usage,
  wrapModel,
} from '../model.ts'
import { ModelError, type ModelErrorFacts } from '../model-error.ts'
import type { ModelObserver } from '../observer.ts'
import { outputCap } from '../output-cap.ts'
import { promptTokens } from '../prompt.ts'
import { type RunningSpan, startSpan } from '../tracing.ts'

const OVER_HTTP: ReadonlySet<Completion['method']> = new Set(['model', 'remote'])

export interface ObserveOptions {
  readonly observer: ModelObserver
  readonly clock: Clock
  readonly price?: CandidateFacts['price']
}

/** One row and one span of each try, for the observer, the listener, and the completion or error itself. */
export function withObserver(model: Model, options: ObserveOptions): Model {
  const { price } = options

  async function complete(request: CompletionRequest, signal: AbortSignal) {
    const attempt = openAttempt(model, options, request)
    const { streamed } = attempt
    try {
      const completion = await model.complete(attempt.request, signal)
      const status = OVER_HTTP.has(completion.method) ? 200 : undefined
      const row = attempt.close({ outcome: 'ok', status, usage: completion.usage })
      return { ...completion, attempts: [...completion.attempts, row] }
    } catch (error) {
      if (signal.aborted) attempt.close({ outcome: 'aborted', usage: streamed.usage(price) })
      if (signal.aborted || !(error instanceof ModelError)) throw error
      const { outcome, facts } = error
      const counted = usageOfFailure(error)
      const usage = counted === NO_USAGE ? streamed.usage(price) : counted
      const row = attempt.close({ outcome, status: facts.status, usage, facts })
      throw withAttempts(error, [...attemptsOf(error), row])
    }
  }
  return wrapModel(model, complete)
}

interface Ending {
  readonly outcome: AttemptOutcome
  readonly status?: number | undefined
  readonly usage: Usage
  readonly facts?: ModelErrorFacts
}

/** One try from beginning to end, as it is counted. */
function openAttempt(model: Model, { observer, clock }: ObserveOptions, request: CompletionRequest) {
  const startedAt = clock.now()
  const span = attemptSpan(model, request)
  const traced = { ...request, traceparent: span.traceparent }
  const streamed = countStreamed(traced, () => observer.firstToken(model.id, (clock.now() - startedAt) / 1000))
  return {
    request: streamed.request,
    streamed,
    close({ outcome, status, usage, facts }: Ending): AttemptRow {
      const durationMs = isSkipped(outcome) ? 0 : Math.round(clock.now() - startedAt)
      const row = { model: model.id, outcome, status, durationMs }
      observer.attempt({ row, usage, facts, asker: traced })
      request.listener?.attempt?.(row)
      span.end({
        attributes: {
          'gen_ai.usage.input_tokens': usage.inputTokens,
          'gen_ai.usage.output_tokens': usage.outputTokens,
          'http.response.status_code': status,
        },
        error: outcome === 'ok' ? undefined : outcome,
      })
      return row
    },
  }
}

function attemptSpan(model: Model, request: CompletionRequest): RunningSpan {
  const [provider = model.id] = model.id.split('/', 1)
  return startSpan({
    name: `chat ${model.id}`,
    kind: 'client',
    parent: request.traceparent,
    attributes: {
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': provider,
      'gen_ai.request.model': model.id.slice(provider.length + 1) || model.id,
      'gen_ai.request.max_tokens': outputCap(model, request),
    },
  })
}

/** An answer that broke off is paid for as well: its prompt was read, and this much was written. */
function countStreamed(request: CompletionRequest, onFirst: () => void) {
  let bytes = 0
  const delta = (text: string) => {
    if (bytes === 0 && text !== '') onFirst()
    bytes += utf8Length(text)
    request.listener?.delta?.(text)
  }
  return {
    request: { ...request, listener: { ...request.listener, delta } },
    usage(price: CandidateFacts['price']): Usage {
      if (bytes === 0) return NO_USAGE
      const inputTokens = textTokens(request.system) + promptTokens(request.prompt)
      const outputTokens = Math.ceil(bytes / BYTES_PER_TOKEN)
      const costUsd = price === undefined ? 0 : (inputTokens * price.input + outputTokens * price.output) / 1e6
      return { inputTokens, outputTokens, costUsd }
    },
  }
}

/** The estimate that is used wherever nobody counted (domain/tokens). */
const BYTES_PER_TOKEN = 4
