import { rowsToConversation } from '../../domain/dialects/rows-to-conversation.ts'
import { assemblePrompt } from '../../domain/prompts/assemble-prompt.ts'
import { serialize } from '../../domain/transcript/serialize.ts'
import type { Emit } from '../../pipelines/pipeline-event.ts'
import type { SummarizeResult } from '../../pipelines/prompt/summarize-schema.ts'
import type { OpenPipelines } from './open-pipelines.ts'
import type { Input } from './read-input.ts'
import { runEndpoint } from './run-endpoint.ts'
import { wholeConversation } from './whole-conversation.ts'

/** The prompt that a first compaction of the whole file would send, answered by POST /summarize's pipeline. */
export async function summarizeWhole(
  pipelines: OpenPipelines,
  {
    input,
    model,
    emit,
  }: { readonly input: Input; readonly model?: string | undefined; readonly emit?: Emit | undefined },
  signal: AbortSignal,
): Promise<SummarizeResult> {
  const rows = await wholeConversation(pipelines, input, signal)
  const conversation = serialize(rowsToConversation(rows))
  const { system, prompt } = assemblePrompt({ kind: 'history', conversation }, pipelines.deps.prompts)
  const asked: Input = { name: input.name, kind: 'body', body: { systemPrompt: system, prompt } }
  const json = await runEndpoint(
    pipelines,
    { endpoint: 'summarize', input: asked, parameters: { model }, emit },
    signal,
  )
  return JSON.parse(json) as SummarizeResult
}
