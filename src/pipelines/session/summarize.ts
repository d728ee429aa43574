import { RecapdError } from '../../domain/errors.ts'
import { type SummaryBudgets, summaryBudgets } from '../../domain/summary/budgets.ts'
import { redact } from '../../domain/text/redact.ts'
import { type Completion, sumUsage } from '../../models/model.ts'
import { atMost, inParallel } from '../../models/signals/in-parallel.ts'
import type { CompactSessionResult } from '../compact-result-schema.ts'
import { type Called, type Caller, callModel } from '../model-call.ts'
import type { PipelineDeps, Step } from '../pipeline-context.ts'
import { promptRows } from '../prompt-rows.ts'
import { sessionSummary } from './finish.ts'
import { type Compacting, compactingHook } from './hooks.ts'
import { noPass, type PlannedPass, planOf } from './pass.ts'
import { type SessionPrompts, sessionPrompts } from './prompts.ts'
import { compactedResult } from './result.ts'

/** Asks the models for what the plan needs, checks and merges the answers, and builds the entry. */
export async function summarizePlan(
  { pass, deps, emit }: Step<PlannedPass>,
  signal: AbortSignal,
): Promise<CompactSessionResult> {
  const { request, model, plan } = pass
  const budgets = budgetsOf(pass)
  const hooked = await compactingHook({ pass, deps }, signal)
  const additionalContext = [...(request.additionalContext ?? []), ...hooked.context]
  const prompts = promptsOf(pass, { budgets, hooked, additionalContext }, deps)
  const warnings = [...pass.warnings, ...hooked.warnings]
  if (request.dryRun) {
    const rows = promptRows([prompts.history, prompts.prefix, prompts.short], model)
    return noPass(pass, 'dry-run', { plan: planOf(pass, plan.report), prompts: rows, warnings })
  }
  const caller = { model, context: pass.context, deps, emit, onFailure: request.onFailure }
  const answers = await ask(prompts, caller, signal)
  const cost = {
    calls: answers.called.flatMap(({ rows }) => rows),
    usage: sumUsage(answers.called.map(({ completion }) => completion.usage)),
    warnings: [...warnings, ...answers.warnings],
  }
  const [history, prefix] = [answers.history?.completion.text, answers.prefix?.completion.text]
  const { conversation, region, conversations } = prompts
  const source = { pass, conversation, region, conversations, budgets, additionalContext }
  const made = sessionSummary({ ...source, history, prefix }, deps)
  if (made === null) return noPass(pass, 'inflated', { plan: planOf(pass, plan.report), ...cost })
  deps.observer.audit(made.audit.kept, made.audit.restored.length)
  // What is said of the summary is said of its own calls: a short one made otherwise changes nothing in it.
  const own = [answers.history, answers.prefix].filter((called) => called !== undefined)
  const short = answers.short?.completion.text
  const finished = {
    summary: made.summary,
    shortSummary: short === undefined ? undefined : redact(short),
    details: made.details,
    preserveData: { ...plan.previousPreserveData, ...request.preserveData, ...hooked.preserveData },
    method: methodOf(own.map(({ completion }) => completion)),
    fallbackUsed: own.some(({ isFallback }) => isFallback),
    result: { audit: made.audit, ...cost, degraded: own.some(({ completion }) => completion.degraded) },
  }
  return compactedResult({ pass, made: finished, deps }, signal)
}

const budgetsOf = ({ model, settings }: PlannedPass): SummaryBudgets =>
  summaryBudgets({ reserveTokens: settings.reserveTokens, maxOutputTokens: model.candidates[0].maxOutputTokens })

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

interface SessionAnswers {
  readonly history: Called | undefined
  readonly prefix: Called | undefined
  readonly short: Called | undefined
  /** All three, as far as they were called. */
  readonly called: readonly Called[]
  readonly warnings: readonly string[]
}

/** History, prefix and short summary side by side; a short one that fails is a warning, not a failed compaction (§6). */
async function ask(prompts: SessionPrompts, caller: Caller, signal: AbortSignal): Promise<SessionAnswers> {
  const lost: string[] = []
  const asked = (spec: SessionPrompts['history']) => async (inner: AbortSignal) =>
    spec === undefined ? undefined : callModel(spec, caller, inner)
  const tolerant = async (inner: AbortSignal) => {
    try {
      return await asked(prompts.short)(inner)
    } catch (error) {
      inner.throwIfAborted()
      if (!(error instanceof RecapdError)) throw error
      lost.push('The short summary could not be made; the compaction stands without it.')
      return undefined
    }
  }
  const items = [asked(prompts.history), asked(prompts.prefix), tolerant]
  // The first that fails aborts its siblings, so that nothing is paid for a pass that is lost.
  const [history, prefix, short] = await inParallel(
    { items, room: atMost(3), run: (call, _, inner) => call(inner) },
    signal,
  )
  const called = [history, prefix, short].filter((each) => each !== undefined)
  const warnings = called.flatMap(({ completion }) => completion.warnings)
  return { history, prefix, short, called, warnings: [...new Set([...warnings, ...lost])] }
}

/** What really happened: the strongest word of the calls that made the summary. */
function methodOf(completions: readonly Completion[]): CompactSessionResult['method'] {
  const methods = completions.map(({ method }) => method)
  return (['extractive', 'fold', 'moa', 'remote'] as const).find((method) => methods.includes(method)) ?? 'model'
}
