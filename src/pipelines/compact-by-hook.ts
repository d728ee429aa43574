import type { CompactionPlan } from '../domain/compaction/plan.ts'
import type { CompactSessionResult } from './compact-schema.ts'
import type { PipelineDeps } from './pipeline-context.ts'
import type { Pass } from './session-pass.ts'

/** `session_before_compact`: null where no hook decides. */
export async function compactByHook(
  _pass: Pass,
  _plan: CompactionPlan,
  _deps: PipelineDeps,
  _signal: AbortSignal,
): Promise<CompactSessionResult | null> {
  return null
}
