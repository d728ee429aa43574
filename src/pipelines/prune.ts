import { pruneToolOutputs } from '../domain/compaction/prune-entries.ts'
import { pathTo } from '../domain/session/path.ts'
import { readSession } from '../domain/session/session.ts'
import { pruneList } from './list/prune-list.ts'
import type { PipelineCall } from './pipeline-context.ts'
import type { PruneRequest, PruneResult } from './prune-schema.ts'
import { pruneSettingsOf } from './request-settings.ts'
import { sourceOf } from './source-of.ts'

/** Which old tool output of a session or list can go, and what stands in its place. Asks no model, changes nothing. */
export const prune = (call: PipelineCall<PruneRequest>): PruneResult =>
  call.request.messages === undefined ? pruneSession(call) : { ...pruneList(call), source: sourceOf(call) }

function pruneSession(call: PipelineCall<PruneRequest>): PruneResult {
  const { request, context } = call
  const session = readSession(request.entries ?? [])
  const pruned = pruneToolOutputs(pathTo(session, request.leafId ?? undefined), pruneSettingsOf(request))
  return { ...pruned, source: sourceOf(call), warnings: [...context.readWarnings, ...session.warnings] }
}
