import type { Conversation } from '../../domain/conversation/conversation.ts'
import { assemblePrompt } from '../../domain/prompts/assemble-prompt.ts'
import { serialize } from '../../domain/transcript/serialize.ts'
import type { Emit } from '../../pipelines/pipeline-event.ts'
import { type SummarizeResult, summarizeResult } from '../../pipelines/prompt/summarize-schema.ts'
import type { OpenPipelines } from './open-pipelines.ts'
import type { Input } from './read-input.ts'
import { runEndpoint } from './run-endpoint.ts'

export interface WholeSummary {
  /** The file, for messages. */
  readonly name: string
  readonly conversation: Conversation
  /** Nobody answers in its place. */
  readonly onlyModel?: string | undefined
  readonly emit?: Emit | undefined
}

/** The prompt that a first compaction of the whole conversation would send, answered by POST /summarize's pipeline. */
export async function summarizeConversation(
  pipelines: OpenPipelines,
  { name, conversation, onlyModel, emit }: WholeSummary,
  signal: AbortSignal,
): Promise<SummarizeResult> {
  const request = { kind: 'history', conversation: serialize(conversation) } as const
  const { system, prompt } = assemblePrompt(request, pipelines.deps.prompts)
  const input: Input = { name, kind: 'body', body: { systemPrompt: system, prompt } }
  const call = { endpoint: 'summarize', input, parameters: { model: onlyModel }, onlyModel, emit } as const
  return summarizeResult.parse(JSON.parse(await runEndpoint(pipelines, call, signal)))
}
