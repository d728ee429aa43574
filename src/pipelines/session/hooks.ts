import { planFileLists } from '../../domain/compaction/plan-file-lists.ts'
import { planFrom } from '../../domain/compaction/plan-from.ts'
import { stringOf } from '../../domain/session/content.ts'
import type { HookResults } from '../../hooks/hook-results.ts'
import type { HookEvents } from '../../hooks/hooks.ts'
import { NO_USAGE } from '../../models/model.ts'
import type { CompactSessionResult } from '../compact-result-schema.ts'
import type { Step } from '../pipeline-context.ts'
import { noPass, type PlannedPass, planOf } from './pass.ts'
import { compactedResult } from './result.ts'

/** What the hook decided, or null and why it was ignored. */
export interface HookDecision {
  readonly result: CompactSessionResult | null
  readonly warnings: readonly string[]
}

/** `session_before_compact`: may cancel, or bring a whole compaction, which is stored as it is. */
export async function compactByHook({ pass, deps }: Step<PlannedPass>, signal: AbortSignal): Promise<HookDecision> {
  const name = 'session_before_compact'
  if (!deps.hooks.has(name)) return { result: null, warnings: [] }
  const ids = new Set(pass.live.path.map(({ id }) => id))
  const refuse = ({ compaction }: HookResults[typeof name]) =>
    compaction == null || ids.has(compaction.firstKeptEntryId)
      ? null
      : 'compaction.firstKeptEntryId: expected the id of an entry on the path'
  const { result, warnings } = await deps.hooks.run({ name, event: beforeCompactEvent(pass), refuse }, signal)
  const warned = { ...pass, warnings: [...pass.warnings, ...warnings] }
  if (result?.cancel === true)
    return { result: noPass(warned, 'cancelled-by-hook', { plan: planOf(warned, pass.plan.report) }), warnings }
  if (result?.compaction == null) return { result: null, warnings }
  return { result: await compactionOf(result.compaction, { pass: warned, deps }, signal), warnings }
}

function beforeCompactEvent(pass: PlannedPass): HookEvents['session_before_compact'] {
  const { settings, contextTokens, request, live, plan } = pass
  const { enabled, reserveTokens } = settings
  return {
    preparation: {
      firstKeptEntryId: plan.report.firstKeptEntryId,
      messagesToSummarize: plan.historyMessages,
      turnPrefixMessages: plan.prefixMessages,
      recentMessages: plan.keptMessages,
      isSplitTurn: plan.report.isSplitTurn,
      tokensBefore: contextTokens,
      previousSummary: plan.previousSummary,
      previousPreserveData: plan.previousPreserveData,
      fileOps: planFileLists(plan),
      settings: { enabled, reserveTokens, keepRecentTokens: plan.report.keepRecentTokens },
    },
    branchEntries: live.path,
    customInstructions: request.customInstructions,
  }
}

/** No tags, no audit, no pinned texts: what a hook writes is its own (docs/spec/compaction.md §12). */
function compactionOf(
  compaction: NonNullable<HookResults['session_before_compact']['compaction']>,
  { pass, deps }: Step<PlannedPass>,
  signal: AbortSignal,
): Promise<CompactSessionResult> | CompactSessionResult {
  const { firstKeptEntryId, summary, shortSummary, tokensBefore, details, preserveData } = compaction
  const report = planFrom(pass.live, pass.plan.report, { firstKeptEntryId, dropEntryId: pass.dropEntryId })
  if (pass.request.dryRun) return noPass(pass, 'dry-run', { plan: planOf(pass, report), prompts: [] })
  const made = {
    summary,
    shortSummary: shortSummary ?? undefined,
    firstKeptEntryId,
    tokensBefore,
    details,
    preserveData: { ...pass.plan.previousPreserveData, ...pass.request.preserveData, ...preserveData },
    fromExtension: true,
    method: 'hook',
    failure: undefined,
    result: { calls: [], usage: NO_USAGE, degraded: false, warnings: pass.warnings },
  } as const
  return compactedResult({ pass: { ...pass, plan: { ...pass.plan, report } }, made, deps }, signal)
}

export interface Compacting {
  readonly context: readonly string[]
  readonly prompt: string | undefined
  readonly preserveData: Readonly<Record<string, unknown>>
  readonly warnings: readonly string[]
}

/** `session.compacting`: what a hook adds to the default compaction. */
export async function compactingHook({ pass, deps }: Step<PlannedPass>, signal: AbortSignal): Promise<Compacting> {
  const name = 'session.compacting'
  if (!deps.hooks.has(name)) return { context: [], prompt: undefined, preserveData: {}, warnings: [] }
  const messages = [...pass.plan.historyMessages, ...pass.plan.prefixMessages]
  const { result, warnings } = await deps.hooks.run({ name, event: { messages, sessionId: sessionIdOf(pass) } }, signal)
  return {
    context: result?.context ?? [],
    // A blank prompt asks for nothing, so it replaces nothing.
    prompt: result?.prompt?.trim() ? result.prompt : undefined,
    preserveData: result?.preserveData ?? {},
    warnings,
  }
}

/** The caller's name for the session, else that of the file's header. */
function sessionIdOf({ request, session }: PlannedPass): string | undefined {
  return (request.sessionId ?? stringOf(session.rows.find(({ type }) => type === 'session')?.id)) || undefined
}
