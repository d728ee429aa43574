import type { Usage } from '../../models/model.ts'
import type { PipelineCall } from '../pipeline-context.ts'
import type { Summarized } from '../prompt/summarize.ts'

/** What a face answers with, before it is put into anybody's shape. */
export interface FaceAnswer {
  /** Of the request; every shape prefixes it in its own way. */
  readonly requestId: string
  /** Milliseconds since the epoch. */
  readonly createdAt: number
  readonly model: string
  readonly text: string
  readonly usage: Usage
}

/** What a pipeline made, as a face answers it. */
export const faceAnswer = (
  { summary, model, usage }: Pick<Summarized, 'summary' | 'model' | 'usage'>,
  { context, deps }: Pick<PipelineCall<unknown>, 'context' | 'deps'>,
): FaceAnswer => ({ requestId: context.requestId, createdAt: deps.now(), model, text: summary, usage })

/** An OpenAI chat completion; `created` is in seconds. */
export function chatCompletionOf({ requestId, createdAt, model, text, usage }: FaceAnswer) {
  return {
    id: `chatcmpl-${requestId}`,
    object: 'chat.completion' as const,
    created: seconds(createdAt),
    model,
    choices: [
      {
        index: 0,
        message: { role: 'assistant' as const, content: text, refusal: null },
        finish_reason: 'stop' as const,
        logprobs: null,
      },
    ],
    usage: {
      prompt_tokens: usage.inputTokens,
      completion_tokens: usage.outputTokens,
      total_tokens: usage.inputTokens + usage.outputTokens,
    },
  }
}

/** A message of Anthropic's API. */
export function messageOf({ requestId, model, text, usage }: FaceAnswer) {
  return {
    id: `msg_${requestId}`,
    type: 'message' as const,
    role: 'assistant' as const,
    model,
    content: [{ type: 'text' as const, text }],
    stop_reason: 'end_turn' as const,
    stop_sequence: null,
    usage: { input_tokens: usage.inputTokens, output_tokens: usage.outputTokens },
  }
}

/** A finished response of OpenAI's Responses API with these items. */
export function responseOf(
  { requestId, createdAt, model, usage }: Omit<FaceAnswer, 'text'>,
  output: readonly Readonly<Record<string, unknown>>[],
) {
  return {
    id: `resp_${requestId}`,
    object: 'response' as const,
    created_at: seconds(createdAt),
    status: 'completed' as const,
    model,
    output: [...output],
    parallel_tool_calls: false,
    tool_choice: 'auto' as const,
    tools: [],
    error: null,
    incomplete_details: null,
    instructions: null,
    metadata: {},
    store: false,
    usage: responsesUsage(usage),
  }
}

/** OpenAI's answer to a compaction call. */
export const compactionOf = (
  { requestId, createdAt, usage }: Omit<FaceAnswer, 'text'>,
  output: readonly Readonly<Record<string, unknown>>[],
) => ({
  id: `resp_${requestId}`,
  object: 'response.compaction' as const,
  created_at: seconds(createdAt),
  output: [...output],
  usage: responsesUsage(usage),
})

/** The one item of a response that is a text. */
export const messageItemOf = ({ requestId, text }: FaceAnswer) => ({
  type: 'message' as const,
  id: `msg_${requestId}`,
  status: 'completed' as const,
  role: 'assistant' as const,
  content: [{ type: 'output_text' as const, text, annotations: [] }],
})

/** Token counts as the Responses API writes them. */
const responsesUsage = ({ inputTokens, outputTokens }: Usage) => ({
  input_tokens: inputTokens,
  input_tokens_details: { cached_tokens: 0 },
  output_tokens: outputTokens,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: inputTokens + outputTokens,
})

/** An answer of Gemini's generateContent. */
export function geminiAnswerOf({ requestId, model, text, usage }: FaceAnswer) {
  return {
    candidates: [{ content: { role: 'model' as const, parts: [{ text }] }, finishReason: 'STOP' as const, index: 0 }],
    usageMetadata: {
      promptTokenCount: usage.inputTokens,
      candidatesTokenCount: usage.outputTokens,
      totalTokenCount: usage.inputTokens + usage.outputTokens,
    },
    modelVersion: model,
    responseId: requestId,
  }
}

const seconds = (milliseconds: number): number => Math.floor(milliseconds / 1000)
