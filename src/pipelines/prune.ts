import { pruneToolOutputs } from '../domain/compaction/prune-entries.ts'
import { pathTo } from '../domain/session/path.ts'
import { readSession } from '../domain/session/session.ts'
import type { PipelineCall } from './pipeline-context.ts'
import type { PruneRequest, PruneResult } from './prune-schema.ts'
import { pruneSettingsOf } from './request-settings.ts'

/** Which old tool output of a session can go, and what stands in its place. Asks no model, changes nothing. */
export function prune({ request, context }: PipelineCall<PruneRequest>): PruneResult {
  const session = readSession(request.entries)
  const pruned = pruneToolOutputs(pathTo(session, request.leafId ?? undefined), pruneSettingsOf(request))
  return { ...pruned, warnings: [...context.readWarnings, ...session.warnings] }
}
