import type { AttemptOutcome, AttemptRow, Completion, CompletionRequest, Model } from '../../src/models/model.ts'
import { ModelError, type ModelErrorFacts } from '../../src/models/model-error.ts'
import { type Prompt, textPrompt } from '../../src/models/prompt.ts'

type Reply = (request: CompletionRequest, signal: AbortSignal) => Promise<Completion>

export interface FakeModel extends Model {
  readonly requests: CompletionRequest[]
  /** Signals of the calls, to see who was aborted. */
  readonly signals: AbortSignal[]
}

/** A model that plays its replies in turn, the last one for ever, and remembers what it was asked. */
export function fakeModel(id: string, replies: readonly Reply[], facts: Partial<Model> = {}): FakeModel {
  const requests: CompletionRequest[] = []
  const signals: AbortSignal[] = []
  return {
    id,
    contextWindow: 128_000,
    ...facts,
    requests,
    signals,
    complete(request, signal) {
      const reply = replies[Math.min(requests.length, replies.length - 1)]
      requests.push(request)
      signals.push(signal)
      if (reply === undefined) throw new Error('A fake model needs a reply')
      return reply(request, signal)
    },
  }
}

export function row(model: string, outcome: AttemptOutcome, durationMs = 5): AttemptRow {
  return { model, outcome, durationMs }
}

export function completionOf(model: string, text: string, more: Partial<Completion> = {}): Completion {
  return {
    text,
    model,
    usage: { inputTokens: 10, outputTokens: 2, costUsd: 0.5 },
    truncated: false,
    degraded: false,
    attempts: [row(model, 'ok')],
    calls: [],
    warnings: [],
    method: 'model',
    ...more,
  }
}

/** Answers at once. */
export function says(model: string, text: string, more: Partial<Completion> = {}): Reply {
  return async () => completionOf(model, text, more)
}

/** Fails at once, with one row. */
export function fails(model: string, outcome: Exclude<AttemptOutcome, 'ok'>, facts: ModelErrorFacts = {}): Reply {
  return async () => {
    throw new ModelError(model, outcome, { attempts: [row(model, outcome)], ...facts })
  }
}

/** Answers only by being aborted. */
export const hangs: Reply = (_request, signal) =>
  new Promise((_resolve, reject) => {
    if (signal.aborted) reject(signal.reason)
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })

/** A question; its prompt may be a text. */
export type Asked = Omit<Partial<CompletionRequest>, 'prompt'> & { readonly prompt?: string | Prompt }

export function requestOf({ prompt = 'Tell what happened.', ...more }: Asked = {}): CompletionRequest {
  const asked = typeof prompt === 'string' ? textPrompt(prompt) : prompt
  return { system: 'You summarise.', prompt: asked, deadlineAt: 1_700_000_170_000, ...more }
}

export const never = (): AbortSignal => new AbortController().signal
