import type { RecapdError } from '../../domain/errors.ts'
import { madeProgress } from '../../domain/list/progress.ts'
import { encodeState } from '../../domain/list/state.ts'
import { afterNoProgress } from '../../domain/list/strikes.ts'
import { buildContext } from '../../domain/session/build-context.ts'
import { textTokens } from '../../domain/tokens/text-tokens.ts'
import type { CompactSessionResult } from '../compact-result-schema.ts'
import { freeId } from '../free-id.ts'
import { afterSummary } from '../pass-state.ts'
import type { PipelineDeps, Step } from '../pipeline-context.ts'
import { nextOf, type Pass, type PlannedPass, planOf, prunedOf } from './pass.ts'

/** A summary that passed every check, or a hook's own, ready to become an entry. */
export interface MadeSummary {
  readonly summary: string
  readonly shortSummary: string | undefined
  readonly firstKeptEntryId?: string | undefined
  readonly tokensBefore?: number | undefined
  readonly details: unknown
  readonly preserveData: Readonly<Record<string, unknown>>
  readonly fromExtension?: true | undefined
  readonly method: CompactSessionResult['method']
  /** Why it was made without a language model, where that was not wanted. */
  readonly failure: RecapdError | undefined
  readonly result: Pick<CompactSessionResult, 'audit' | 'calls' | 'usage' | 'degraded' | 'warnings'>
}

interface Finishing extends Step<PlannedPass> {
  readonly made: MadeSummary
}

/** The compaction entry, the context to go on with, and the account of the pass (docs/spec/contract.md §3a). */
export async function compactedResult(
  { pass, made, deps }: Finishing,
  signal: AbortSignal,
): Promise<CompactSessionResult> {
  const { request, live, dropEntryId, tokensBefore, pruned, plan } = pass
  const entry = entryOf(pass, made, deps)
  const tokensAfter = textTokens(made.summary) + plan.report.tokens.kept
  const progress = { tokensBefore, tokensAfter, madeProgress: madeProgress(tokensBefore, tokensAfter) }
  const notified = await notify({ entry, made, deps }, signal)
  const context = () => ({ messages: [...buildContext([...live.path, entry], { dropEntryId }).messages] })
  return {
    compacted: true,
    method: made.method,
    entry,
    plan: planOf(pass, plan.report),
    pruned: prunedOf(pruned),
    context: request.returnContext ? context() : undefined,
    progress,
    next: nextOf(pass),
    ...made.result,
    warnings: [...made.result.warnings, ...notified],
    state: encodeState(stateAfter(pass, { made, progress, nowMs: deps.now() })),
  }
}

function entryOf(pass: PlannedPass, made: MadeSummary, deps: PipelineDeps) {
  return {
    type: 'compaction',
    id: freeId(pass.session, deps),
    parentId: pass.live.path.at(-1)?.id ?? null,
    timestamp: new Date(deps.now()).toISOString(),
    summary: made.summary,
    shortSummary: made.shortSummary,
    firstKeptEntryId: made.firstKeptEntryId ?? pass.plan.report.firstKeptEntryId,
    tokensBefore: made.tokensBefore ?? pass.contextTokens,
    details: made.details,
    preserveData: { ...made.preserveData },
    fromExtension: made.fromExtension,
  } as const satisfies CompactSessionResult['entry']
}

interface Notifying {
  readonly entry: ReturnType<typeof entryOf>
  readonly made: MadeSummary
  readonly deps: PipelineDeps
}

/** `session_compact`: shows hooks the entry before it is answered; returns warnings. */
async function notify({ entry, made, deps }: Notifying, signal: AbortSignal): Promise<readonly string[]> {
  if (!deps.hooks.has('session_compact')) return []
  const event = { compactionEntry: entry, fromExtension: made.fromExtension === true }
  return (await deps.hooks.run({ name: 'session_compact', event }, signal)).warnings
}

interface Made {
  readonly made: MadeSummary
  readonly progress: CompactSessionResult['progress']
  readonly nowMs: number
}

function stateAfter(pass: Pass, { made, progress, nowMs }: Made) {
  const { tokensAfter: tokens } = progress
  const facts = { rows: pass.live.path.length + 1, tokens }
  const after = afterSummary(pass.state, facts, { failure: made.failure, nowMs })
  // It has its strike already: the next real prompt count must not give it a second one.
  return progress.madeProgress
    ? after
    : { ...afterNoProgress(after, tokens, pass.settings.thresholdTokens), awaitingUsage: false }
}
