import type { CompactionPlan } from '../../domain/compaction/plan.ts'
import { auditWarnings } from '../../domain/summary/audit.ts'
import { auditedTokens, type SummaryBudgets, summaryBudgets } from '../../domain/summary/budgets.ts'
import { redact } from '../../domain/text/redact.ts'

import { notPrepared } from '../ahead/not-prepared.ts'
import { sha256 } from '../ahead/prepared.ts'
import type { CompactAheadResult, CompactSessionResult } from '../compact-result-schema.ts'
import type { PipelineDeps, Step } from '../pipeline-context.ts'
import { promptRows } from '../prompt-rows.ts'
import { putAside, type Taken } from './ahead.ts'
import { askModels, onTopOf, preparedAnswers, type SessionAnswers } from './answers.ts'
import { sessionSummary } from './finish.ts'
import { type Compacting, compactingHook } from './hooks.ts'
import { noPass, type PlannedPass, planOf } from './pass.ts'
import { type SessionPrompts, sessionPrompts } from './prompts.ts'
import { compactedResult } from './result.ts'

interface Summarizing extends Step<PlannedPass> {
  /** A summary made ahead of time that this plan builds on. */
  readonly taken?: Taken | undefined
  /** The plan as it is without one. */
  readonly unprepared: CompactionPlan
}

/** Asks the models for what the plan needs, checks and merges the answers, and builds the entry. */
export async function summarizePlan(step: Summarizing, signal: AbortSignal): Promise<CompactSessionResult> {
  const { pass, deps, emit, taken } = step
  const asked = await questionOf(step, signal)
  // A hook says something now that was not known when the summary was prepared, so that one is not used.
  if (taken !== undefined && taken.prepared.hooked !== asked.hookedHash) {
    const { unprepared } = step
    return summarizePlan({ pass: { ...pass, plan: unprepared }, deps, emit, unprepared }, signal)
  }
  const { prompts, budgets, hooked, additionalContext, warnings } = asked
  const plan = planOf(pass, pass.plan.report)
  if (pass.request.dryRun) {
    const rows = promptRows([prompts.history, prompts.prefix, prompts.short], pass.model)
    return noPass(pass, 'dry-run', { plan, prompts: rows, warnings })
  }
  const answers = await answersOf(step, asked, signal)
  const cost = { calls: answers.calls, usage: answers.usage, warnings: [...warnings, ...answers.warnings] }
  const { conversation, region, conversations } = prompts
  const { history, prefix, short } = answers
  const budgetTokens = auditedTokens(budgets, { maxTokens: pass.request.maxTokens, degraded: answers.degraded })
  const source = { pass, conversation, region, conversations, budgetTokens, additionalContext }
  const made = sessionSummary({ ...source, history, prefix }, deps)
  if (made === null) return noPass(pass, 'inflated', { plan, ...cost })
  deps.observer.audit(made.audit.kept, made.audit.restored.length)
  const finished = {
    summary: made.summary,
    shortSummary: short === undefined ? undefined : redact(short),
    details: made.details,
    preserveData: { ...pass.plan.previousPreserveData, ...pass.request.preserveData, ...hooked.preserveData },
    method: answers.method,
    failure: answers.failure,
    result: {
      audit: made.audit,
      ...cost,
      warnings: [...cost.warnings, ...auditWarnings(made.audit)],
      degraded: answers.degraded,
    },
  }
  return compactedResult({ pass, made: finished, deps }, signal)
}

/** `ahead: true`: the same answers, put aside instead of becoming an entry. */
export async function summarizeAhead(step: Step<PlannedPass>, signal: AbortSignal): Promise<CompactAheadResult> {
  const { pass, deps } = step
  const asked = await questionOf(step, signal)
  const plan = planOf(pass, pass.plan.report)
  if (pass.request.dryRun) return { ...notPrepared(pass, 'dry-run'), plan }
  const answers = await answersOf({ ...step, unprepared: pass.plan }, asked, signal)
  const { history, prefix, short, degraded, calls, usage } = answers
  const cost = { plan, calls, usage, degraded, warnings: [...asked.warnings, ...answers.warnings] }
  const { conversation, region, conversations } = asked.prompts
  const budgetTokens = auditedTokens(asked.budgets, { maxTokens: pass.request.maxTokens, degraded })
  const source = { pass, conversation, region, conversations, budgetTokens, additionalContext: asked.additionalContext }
  const made = sessionSummary({ ...source, history, prefix }, deps)
  if (made === null) return { ...notPrepared(pass, 'inflated'), ...cost }
  const expiresAt = await putAside(pass, { history, prefix, short, degraded, hooked: asked.hookedHash }, deps)
  if (expiresAt === undefined) return { ...notPrepared(pass, 'not-kept'), ...cost }
  return { prepared: true, expiresAt, ...cost }
}

/** What is to be asked, with what hooks add to it. */
interface Question {
  readonly prompts: SessionPrompts
  readonly budgets: SummaryBudgets
  readonly hooked: Compacting
  readonly hookedHash: string
  readonly additionalContext: readonly string[]
  readonly warnings: readonly string[]
}

async function questionOf({ pass, deps }: Step<PlannedPass>, signal: AbortSignal): Promise<Question> {
  const budgets = budgetsOf(pass)
  const hooked = await compactingHook({ pass, deps }, signal)
  const additionalContext = [...(pass.request.additionalContext ?? []), ...hooked.context]
  return {
    prompts: promptsOf(pass, { budgets, hooked, additionalContext }, deps),
    budgets,
    hooked,
    hookedHash: sha256(JSON.stringify([hooked.context, hooked.prompt ?? null])),
    additionalContext,
    warnings: [...pass.warnings, ...hooked.warnings],
  }
}

/** From the models, from what was prepared, or from both. */
async function answersOf(
  { pass, deps, emit, taken }: Summarizing,
  asked: Question,
  signal: AbortSignal,
): Promise<SessionAnswers> {
  if (taken?.use === 'whole') return preparedAnswers(taken)
  const { request, model, context } = pass
  const caller = { model, context, deps, emit, onFailure: request.onFailure }
  if (taken === undefined) return askModels(asked.prompts, caller, signal)
  const rest = promptsOf({ ...pass, plan: taken.question }, asked, deps)
  return onTopOf(taken, await askModels(rest, caller, signal), pass.plan.previousSummary)
}

const budgetsOf = ({ request, model, settings, plan }: PlannedPass): SummaryBudgets =>
  summaryBudgets({
    reserveTokens: settings.reserveTokens,
    maxOutputTokens: model.candidates[0].maxOutputTokens,
    maxTokens: request.maxTokens,
    isSplit: plan.prefixMessages.length > 0,
  })

function promptsOf(
  { request, plan }: PlannedPass,
  given: {
    readonly budgets: SummaryBudgets
    readonly hooked: Compacting
    readonly additionalContext: readonly string[]
  },
  deps: PipelineDeps,
): SessionPrompts {
  return sessionPrompts(
    {
      plan,
      budgets: given.budgets,
      wantsShort: request.shortSummary ?? true,
      customInstructions: request.customInstructions,
      additionalContext: given.additionalContext,
      promptOverride: given.hooked.prompt ?? request.promptOverride,
    },
    deps.prompts,
  )
}
