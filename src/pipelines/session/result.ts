import type { CompactionPlan } from '../../domain/compaction/plan.ts'
import { madeProgress } from '../../domain/list/progress.ts'
import { encodeState } from '../../domain/list/state.ts'
import { afterNoProgress, afterPass } from '../../domain/list/strikes.ts'
import { buildContext } from '../../domain/session/context.ts'
import type { Entry } from '../../domain/session/entry.ts'
import { textTokens } from '../../domain/tokens/text-tokens.ts'
import type { CompactSessionResult } from '../compact-schema.ts'
import type { PipelineDeps } from '../pipeline-context.ts'
import { notifyCompacted } from './notify-compacted.ts'
import { nextOf, type Pass, planOf, prunedOf } from './pass.ts'

/** A summary that passed every check, or a hook's own, ready to become an entry. */
export interface MadeSummary {
  readonly summary: string
  readonly shortSummary: string | undefined
  readonly firstKeptEntryId?: string
  readonly tokensBefore?: number
  readonly details: unknown
  readonly preserveData: Readonly<Record<string, unknown>>
  readonly fromExtension?: true
  readonly method: CompactSessionResult['method']
  readonly fallbackUsed: boolean
  readonly result: Pick<CompactSessionResult, 'audit' | 'calls' | 'usage' | 'degraded' | 'warnings'>
}

/** The compaction entry, the context to go on with, and the account of the pass (http-api §3a). */
export async function compactedResult(
  pass: Pass,
  plan: CompactionPlan,
  made: MadeSummary,
  deps: PipelineDeps,
  signal: AbortSignal,
): Promise<CompactSessionResult> {
  const { request, live, dropEntryId, tokensBefore, pruned } = pass
  const entry = entryOf(pass, plan, made, deps)
  const tokensAfter = textTokens(made.summary) + plan.report.tokens.kept
  const progress = { tokensBefore, tokensAfter, madeProgress: madeProgress(tokensBefore, tokensAfter) }
  const notified = await notifyCompacted(entry, made.fromExtension === true, deps, signal)
  return {
    compacted: true,
    method: made.method,
    entry,
    plan: planOf(pass, plan.report),
    pruned: prunedOf(pruned),
    ...(request.returnContext
      ? { context: { messages: [...buildContext([...live.path, entry as Entry], { dropEntryId }).messages] } }
      : {}),
    progress,
    next: nextOf(pass),
    ...made.result,
    warnings: [...made.result.warnings, ...notified],
    state: encodeState(stateAfter(pass, made, progress, live.path.length + 1)),
  }
}

function entryOf(
  pass: Pass,
  plan: CompactionPlan,
  made: MadeSummary,
  deps: PipelineDeps,
): NonNullable<CompactSessionResult['entry']> {
  const leaf = pass.live.path.at(-1)
  return {
    type: 'compaction',
    id: freeId(pass, deps),
    parentId: leaf?.id ?? null,
    timestamp: new Date(deps.now()).toISOString(),
    summary: made.summary,
    ...(made.shortSummary === undefined ? {} : { shortSummary: made.shortSummary }),
    firstKeptEntryId: made.firstKeptEntryId ?? plan.report.firstKeptEntryId,
    tokensBefore: made.tokensBefore ?? pass.contextTokens,
    ...(made.details === undefined ? {} : { details: made.details }),
    preserveData: { ...made.preserveData },
    ...(made.fromExtension === undefined ? {} : { fromExtension: made.fromExtension }),
  }
}

/** Eight hex digits that no entry of the session has. */
export function freeId({ session }: Pick<Pass, 'session'>, deps: Pick<PipelineDeps, 'newId'>): string {
  for (;;) {
    const id = deps.newId()
    if (!session.byId.has(id)) return id
  }
}

function stateAfter(pass: Pass, made: MadeSummary, progress: CompactSessionResult['progress'], rows: number) {
  const tokens = progress.tokensAfter
  const after = afterPass(pass.state, { rows, tokens, summary: made.fallbackUsed ? 'fallback' : 'model' })
  // It has its strike already: the next real prompt count must not give it a second one.
  return progress.madeProgress
    ? after
    : { ...afterNoProgress(after, tokens, pass.settings.thresholdTokens), awaitingUsage: false }
}
