import { planFileLists } from '../domain/compaction/file-lists.ts'
import type { CompactionPlan } from '../domain/compaction/plan.ts'
import { redact } from '../domain/facts/redact.ts'
import { regionFromItems } from '../domain/facts/region-from-items.ts'
import { auditSummary } from '../domain/summary/audit.ts'
import { type SummaryBudgets, summaryBudgets } from '../domain/summary/budgets.ts'
import { upsertFileTags } from '../domain/summary/file-tags.ts'
import { isInflated, mergeSummary } from '../domain/summary/merge.ts'
import { withPinned } from '../domain/summary/pinned.ts'
import { textTokens } from '../domain/tokens/text.ts'
import type { Completion } from '../models/model.ts'
import type { CompactSessionResult } from './compact-schema.ts'
import { compactedResult } from './compacted-result.ts'
import { compactingHook } from './compacting-hook.ts'
import { type Called, type Caller, callModel, inParallel, sumUsage } from './model-call.ts'
import type { Emit, PipelineDeps } from './pipeline-context.ts'
import { promptRows } from './prompt-rows.ts'
import { noPass, type Pass, planOf } from './session-pass.ts'
import { type SessionPrompts, sessionPrompts } from './session-prompts.ts'

/** Asks the models for what the plan needs, checks and merges the answers, and builds the entry. */
export async function summarisePlan(
  pass: Pass,
  plan: CompactionPlan,
  deps: PipelineDeps,
  signal: AbortSignal,
  emit: Emit | undefined,
): Promise<CompactSessionResult> {
  const { request, model, settings } = pass
  const maxOutputTokens = model.candidates[0].maxOutputTokens
  const budgets = summaryBudgets({
    reserveTokens: settings.reserveTokens,
    ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
  })
  const hooked = await compactingHook(pass, plan, deps, signal)
  const prompts = sessionPrompts(
    {
      plan,
      budgets,
      wantsShort: request.shortSummary ?? true,
      customInstructions: request.customInstructions,
      additionalContext: [...(request.additionalContext ?? []), ...hooked.context],
      promptOverride: hooked.prompt ?? request.promptOverride,
    },
    deps.prompts,
  )
  if (request.dryRun) {
    return noPass(pass, 'dry-run', {
      plan: planOf(pass, plan.report),
      prompts: promptRows([prompts.history, prompts.prefix, prompts.short], model),
      warnings: [...pass.warnings, ...hooked.warnings],
    })
  }
  const caller = { model, context: pass.context, deps, emit, onFailure: request.onFailure }
  const answers = await ask(prompts, caller, signal)
  const text = summaryText(pass, plan, prompts, answers, budgets, deps)
  const warnings = [...pass.warnings, ...hooked.warnings, ...answers.warnings]
  const calls = [answers.history, answers.prefix, answers.short].flatMap((called) => called?.rows ?? [])
  const usage = sumUsage(answers.completions)
  if (text === null) return noPass(pass, 'inflated', { plan: planOf(pass, plan.report), calls, usage, warnings })
  deps.observer.audit(text.audit.kept, text.audit.restored.length)
  return compactedResult(
    pass,
    plan,
    {
      summary: text.summary,
      shortSummary: answers.short?.completion.text,
      details: text.details,
      preserveData: { ...plan.previousPreserveData, ...request.preserveData, ...hooked.preserveData },
      method: methodOf(answers),
      fallbackUsed: answers.completions.some(({ degraded }) => degraded) && request.onFailure === 'fallback',
      result: {
        audit: text.audit,
        calls,
        usage,
        degraded: answers.completions.some(({ degraded }) => degraded),
        warnings,
      },
    },
    deps,
    signal,
  )
}

interface Answers {
  readonly history: Called | undefined
  readonly prefix: Called | undefined
  readonly short: Called | undefined
  readonly completions: readonly Completion[]
  readonly warnings: readonly string[]
}

/** History, prefix and short summary side by side; a short one that fails is a warning, not a failed compaction (§6). */
async function ask(prompts: SessionPrompts, caller: Caller, signal: AbortSignal): Promise<Answers> {
  const { history, prefix, short } = prompts
  const lost: string[] = []
  const asked = (spec: SessionPrompts['history']) => async (inner: AbortSignal) =>
    spec === undefined ? undefined : callModel(spec, caller, inner)
  const tolerant = async (inner: AbortSignal) => {
    try {
      return await asked(short)(inner)
    } catch (error) {
      inner.throwIfAborted()
      lost.push('The short summary could not be made; the compaction stands without it.')
      return undefined
    }
  }
  const [historyAnswer, prefixAnswer, shortAnswer] = await inParallel([asked(history), asked(prefix), tolerant], signal)
  const completions = [historyAnswer, prefixAnswer, shortAnswer].flatMap((called) =>
    called === undefined ? [] : [called.completion],
  )
  return {
    history: historyAnswer,
    prefix: prefixAnswer,
    short: shortAnswer,
    completions,
    warnings: [...new Set([...completions.flatMap(({ warnings }) => warnings), ...lost])],
  }
}

/** Merge, growth check, audit, redaction, pins, file tags, in this order (session-compaction §7); null: larger than its source. */
function summaryText(
  pass: Pass,
  plan: CompactionPlan,
  prompts: SessionPrompts,
  answers: Answers,
  budgets: SummaryBudgets,
  deps: PipelineDeps,
) {
  const { previousSummary, report } = plan
  const merged = mergeSummary({
    history: answers.history?.completion.text,
    previousSummary,
    prefix: answers.prefix?.completion.text,
  })
  const replaced = report.tokens.history + report.tokens.turnPrefix + textTokens(previousSummary ?? '')
  if (isInflated(merged, replaced)) return null
  const region = regionFromItems(prompts.items)
  const { text, audit } = auditSummary({
    summary: merged,
    region,
    budgetTokens: budgets.history,
    previousSummary,
    additionalContext: pass.request.additionalContext,
  })
  const details = planFileLists(plan)
  const pinned = withPinned(redact(text), pass.request.pinned, previousSummary)
  return { summary: upsertFileTags(pinned, details, deps.prompts['file-operations']), audit, details }
}

/** What really happened: the strongest word of the calls that made the summary. */
function methodOf({ history, prefix }: Answers): CompactSessionResult['method'] {
  const methods = [history, prefix].flatMap((called) => (called === undefined ? [] : [called.completion.method]))
  return (['extractive', 'fold', 'moa', 'remote'] as const).find((method) => methods.includes(method)) ?? 'model'
}
