import { buildContext } from '../domain/session/context.ts'
import { pathTo } from '../domain/session/path.ts'
import { readSession } from '../domain/session/session.ts'
import { toAnthropic } from '../domain/session/to-anthropic.ts'
import { toLlm } from '../domain/session/to-llm.ts'
import { toOpenAi } from '../domain/session/to-openai.ts'
import type { ContextRequest, ContextResult } from './context-schema.ts'
import type { PipelineCall } from './pipeline-context.ts'
import { wrappersOf } from './summary-wrappers.ts'

/** The context of a leaf rebuilt from the tree: as the agent holds it, or as a provider is told it. */
export function context({ request, context: call, deps }: PipelineCall<ContextRequest>): ContextResult {
  const session = readSession(request.entries)
  const warnings = [...call.readWarnings, ...session.warnings]
  // A leaf of null stands before the first entry (omp-spec §2).
  const path = request.leafId === null ? [] : pathTo(session, request.leafId)
  const { messages, model, thinkingLevel } = buildContext(path)
  if (request.format === 'pi') return { messages, model, thinkingLevel, warnings }
  const told = toLlm(messages, wrappersOf(deps.prompts))
  return { messages: request.format === 'openai' ? toOpenAi(told) : toAnthropic(told), model, thinkingLevel, warnings }
}
