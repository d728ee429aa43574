import type { CompactSessionResult } from './compact-schema.ts'
import type { PipelineDeps } from './pipeline-context.ts'
import type { Pass } from './session-pass.ts'

/** `session_compact`: tells hooks of the entry; returns warnings. */
export async function notifyCompacted(
  _entry: NonNullable<CompactSessionResult['entry']>,
  _pass: Pass,
  _fromExtension: boolean,
  _deps: PipelineDeps,
  _signal: AbortSignal,
): Promise<readonly string[]> {
  return []
}
