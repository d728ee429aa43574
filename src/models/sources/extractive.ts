import type { ExtractiveRequest } from '../../domain/extractive/summarize-extractively.ts'
import { textTokens } from '../../domain/tokens/text-tokens.ts'
import { EXTRACTIVE_ID } from '../candidate-ids.ts'
import { type Completion, type CompletionRequest, type Model, NO_USAGE } from '../model.ts'
import { type Prompt, promptTokens } from '../prompt.ts'
import { sourceAnswer } from './source-answer.ts'

/** Window it is planned with; it takes any length and never folds. */
const PLANNING_WINDOW_TOKENS = 128_000

/** Makes the summary; big prompts do it in a worker, so it is asynchronous (workers/offload.ts). */
export type Extract = (prompt: Prompt, input: Omit<ExtractiveRequest, 'prompt'>, signal: AbortSignal) => Promise<string>

/** The embedded default: deterministic, no network, no language model (docs/spec/models.md §7). */
export function extractiveModel(extract: Extract, onDegraded: () => void): Model {
  return {
    id: EXTRACTIVE_ID,
    contextWindow: PLANNING_WINDOW_TOKENS,
    async complete(request: CompletionRequest, signal: AbortSignal): Promise<Completion> {
      const { prompt, maxTokens = Number.POSITIVE_INFINITY, embedded } = request
      const most = Math.min(maxTokens, embedded?.tokens ?? maxTokens)
      const input = { maxTokens: Number.isFinite(most) ? most : undefined, half: embedded?.half }
      const text = await extract(prompt, input, signal)
      request.listener?.delta?.(text)
      onDegraded()
      const usage = { ...NO_USAGE, inputTokens: promptTokens(prompt), outputTokens: textTokens(text) }
      return sourceAnswer({ text, model: EXTRACTIVE_ID, usage, degraded: true, method: 'extractive' })
    },
  }
}
