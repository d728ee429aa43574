import type { CompactSessionResult } from '../compact-schema.ts'
import type { PipelineDeps } from '../pipeline-context.ts'

/** `session_compact`: tells hooks of the entry before the answer leaves; returns warnings. */
export async function notifyCompacted(
  entry: NonNullable<CompactSessionResult['entry']>,
  fromExtension: boolean,
  deps: PipelineDeps,
  signal: AbortSignal,
): Promise<readonly string[]> {
  if (!deps.hooks.has('session_compact')) return []
  const { warnings } = await deps.hooks.run('session_compact', { compactionEntry: entry, fromExtension }, signal)
  return warnings
}
