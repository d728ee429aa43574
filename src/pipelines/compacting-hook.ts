import type { CompactionPlan } from '../domain/compaction/plan.ts'
import type { PipelineDeps } from './pipeline-context.ts'
import type { Pass } from './session-pass.ts'

export interface Compacting {
  readonly context: readonly string[]
  readonly prompt: string | undefined
  readonly preserveData: Readonly<Record<string, unknown>>
  readonly warnings: readonly string[]
}

/** `session.compacting`: what a hook adds to the default compaction. */
export async function compactingHook(
  _pass: Pass,
  _plan: CompactionPlan,
  _deps: PipelineDeps,
  _signal: AbortSignal,
): Promise<Compacting> {
  return { context: [], prompt: undefined, preserveData: {}, warnings: [] }
}
