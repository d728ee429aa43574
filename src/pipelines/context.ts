import { buildContext } from '../domain/session/build-context.ts'
import { pathTo } from '../domain/session/path.ts'
import { readSession } from '../domain/session/session.ts'
import { isSystem, systemText } from '../domain/session/system-prompt.ts'
import { toAnthropic } from '../domain/session/to-anthropic.ts'
import { toLlm } from '../domain/session/to-llm.ts'
import { toOpenAi } from '../domain/session/to-openai.ts'
import type { ContextRequest, ContextResult } from './context-schema.ts'
import { listContext } from './list/list-context.ts'
import type { PipelineCall } from './pipeline-context.ts'
import { sourceOf } from './source-of.ts'
import { wrappersOf } from './summary-wrappers.ts'

/** The context of a leaf or of a list: as the agent holds it, or as it is sent to a provider. */
export const context = (call: PipelineCall<ContextRequest>): ContextResult => ({
  ...(call.request.messages === undefined ? sessionContext(call) : listContext(call)),
  source: sourceOf(call),
})

function sessionContext({ request, context: call, deps }: PipelineCall<ContextRequest>): Omit<ContextResult, 'source'> {
  const session = readSession(request.entries ?? [])
  const warnings = [...call.readWarnings, ...session.warnings]
  // A leaf of null stands before the first entry (docs/spec/sessions.md §2).
  const path = request.leafId === null ? [] : pathTo(session, request.leafId)
  const { messages, model, thinkingLevel } = buildContext(path)
  if (request.format === 'pi') return { messages, model, thinkingLevel, warnings }
  const llmMessages = toLlm(messages, wrappersOf(deps.prompts))
  if (request.format === 'anthropic') return { messages: toAnthropic(llmMessages), model, thinkingLevel, warnings }
  // Chat has the system prompt in the list, the Messages API beside it.
  const system = messages.filter(isSystem).map((message) => ({ role: 'system', content: systemText(message) }))
  return { messages: [...system, ...toOpenAi(llmMessages)], model, thinkingLevel, warnings }
}
