import type { CompactionPlan } from '../../domain/compaction/plan.ts'
import { stringOf } from '../../domain/session/content.ts'
import type { PipelineDeps } from '../pipeline-context.ts'
import type { Pass } from './pass.ts'

export interface Compacting {
  readonly context: readonly string[]
  readonly prompt: string | undefined
  readonly preserveData: Readonly<Record<string, unknown>>
  readonly warnings: readonly string[]
}

/** `session.compacting`: what a hook adds to the default compaction. */
export async function compactingHook(
  pass: Pass,
  plan: CompactionPlan,
  deps: PipelineDeps,
  signal: AbortSignal,
): Promise<Compacting> {
  const name = 'session.compacting'
  if (!deps.hooks.has(name)) return { context: [], prompt: undefined, preserveData: {}, warnings: [] }
  const sessionId = sessionIdOf(pass)
  const messages = [...plan.historyMessages, ...plan.prefixMessages]
  const event = { messages, ...(sessionId === '' ? {} : { sessionId }) }
  const { result, warnings } = await deps.hooks.run(name, event, signal)
  return {
    context: result?.context ?? [],
    // A blank prompt asks for nothing, so it replaces nothing.
    prompt: result?.prompt?.trim() ? result.prompt : undefined,
    preserveData: result?.preserveData ?? {},
    warnings,
  }
}

/** The caller's name for the session, else that of the file's header. */
function sessionIdOf({ request, session }: Pass): string {
  return request.sessionId ?? stringOf(session.rows.find(({ type }) => type === 'session')?.id)
}
