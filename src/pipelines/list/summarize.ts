import { resolveReserve } from '../../domain/compaction/settings.ts'
import type { Conversation } from '../../domain/conversation/conversation.ts'
import { rowsToConversation } from '../../domain/dialects/rows-to-conversation.ts'
import { withDurable } from '../../domain/ledger/previous/with-durable.ts'
import { assemblePrompt } from '../../domain/prompts/assemble-prompt.ts'
import { auditWarnings } from '../../domain/summary/audit.ts'
import {
  auditedTokens,
  EMBEDDED_TOKENS,
  HISTORY_CAP_TOKENS,
  type SummaryBudgets,
  summaryBudgets,
} from '../../domain/summary/budgets.ts'
import { expectedAnswer } from '../../domain/summary/judge/expected-answer.ts'
import { type RegionFacts, regionFacts } from '../../domain/summary/region-facts.ts'
import { serialize } from '../../domain/transcript/serialize.ts'
import { NO_USAGE } from '../../models/model.ts'
import { textPrompt } from '../../models/prompt.ts'
import { notPrepared } from '../ahead/not-prepared.ts'
import type { CompactAheadResult, CompactMessagesResult } from '../compact-result-schema.ts'
import type { CallSpec } from '../model-call.ts'
import type { PipelineDeps, Step } from '../pipeline-context.ts'
import { promptRows } from '../prompt-rows.ts'
import { putListAside, questionOnTop, type TakenList } from './ahead.ts'
import { type ListAnswer, listAnswer } from './answer.ts'
import { type SummaryInList, summaryInList } from './finish.ts'
import { dryList, type ListPass, noListPass, type PlannedListPass } from './pass.ts'
import { summarizedList } from './result.ts'

interface Summarizing extends Step<PlannedListPass> {
  /** A summary that was made ahead of time for this region, or for its beginning. */
  readonly taken?: TakenList | undefined
}

/** Asks the models for the summary of the planned region and puts it in its place; rejected where it saves nothing. */
export async function summarizeList(step: Summarizing, signal: AbortSignal): Promise<CompactMessagesResult> {
  const { pass, deps } = step
  const asked = questionOf(pass, deps)
  const { warnings } = asked
  if (pass.request.dryRun) return dryList(pass, pass.plan, { prompts: promptRows([asked.spec], pass.model), warnings })
  const answer = await answerOf(step, asked, signal)
  const made = madeOf({ pass, asked, answer }, deps)
  const cost = { calls: answer.calls, usage: answer.usage, warnings: [...warnings, ...answer.warnings] }
  if (made.kind === 'rejected') return noListPass(pass, made.reason, cost)
  deps.observer.audit(made.audit.kept, made.audit.restored.length)
  const { method, degraded, failure } = answer
  return summarizedList(
    pass,
    { ...made, failure, nowMs: deps.now() },
    {
      ...cost,
      warnings: [...cost.warnings, ...auditWarnings(made.audit)],
      summary: made.summary,
      audit: made.audit,
      method,
      degraded,
      fallbackUsed: failure !== undefined,
    },
  )
}

/** `ahead: true`: the same answer, put aside instead of into the list. */
export async function summarizeListAhead(
  step: Step<PlannedListPass>,
  signal: AbortSignal,
): Promise<CompactAheadResult> {
  const { pass, deps } = step
  const asked = questionOf(pass, deps)
  const plan = { boundaries: pass.plan.boundaries }
  if (pass.request.dryRun) return { ...notPrepared(pass, 'dry-run'), plan }
  const answer = await answerOf(step, asked, signal)
  const { calls, usage, degraded } = answer
  const cost = { plan, calls, usage, degraded, warnings: [...asked.warnings, ...answer.warnings] }
  const made = madeOf({ pass, asked, answer }, deps)
  if (made.kind === 'rejected') return { ...notPrepared(pass, made.reason), ...cost }
  const expiresAt = await putListAside(pass, answer, deps)
  return expiresAt === undefined
    ? { ...notPrepared(pass, 'not-kept'), ...cost }
    : { prepared: true, expiresAt, ...cost }
}

/** What is asked of the models, and the whole region as it was read. */
interface Question {
  readonly spec: CallSpec
  readonly conversation: Conversation
  readonly transcript: string
  readonly region: RegionFacts
  readonly budgets: SummaryBudgets
  readonly warnings: readonly string[]
}

function questionOf(pass: PlannedListPass, deps: PipelineDeps): Question {
  const { budgets, warnings } = budgetsOf(pass, deps)
  const conversation = rowsToConversation(pass.plan.rowsToSummarize)
  const transcript = serialize(conversation)
  const region = regionFacts(conversation, { summary: pass.plan.previousSummary ?? '', durable: pass.state.ledger })
  const spec = specOf(pass, { transcript, budgets, region }, deps)
  return { spec, conversation, transcript, region, budgets, warnings }
}

function madeOf(
  { pass, asked, answer }: { readonly pass: PlannedListPass; readonly asked: Question; readonly answer: ListAnswer },
  deps: PipelineDeps,
): SummaryInList {
  const { budgets, conversation, transcript, region } = asked
  const budgetTokens = auditedTokens(budgets, { maxTokens: pass.request.maxTokens, degraded: answer.degraded })
  return summaryInList({ pass, conversation, transcript, region, budgetTokens, answer: answer.text }, deps)
}

/** From the models, from what was prepared, or from both. */
async function answerOf(
  { pass, deps, emit, taken }: Summarizing,
  asked: Question,
  signal: AbortSignal,
): Promise<ListAnswer> {
  if (taken === undefined) return listAnswer(asked, { pass, deps, emit }, signal)
  const { history: text = '', degraded } = taken.prepared
  const free = { text, degraded, failure: undefined, calls: [], usage: NO_USAGE, warnings: [] }
  const rest = { ...pass, plan: questionOnTop(pass.plan, taken) }
  if (taken.use === 'whole' || rest.plan.rowsToSummarize.length === 0) return { ...free, method: 'prepared' }
  const answer = await listAnswer(questionOf(rest, deps), { pass: rest, deps, emit }, signal)
  return { ...answer, degraded: answer.degraded || degraded }
}

/** Caps from the reserve alone: the sessions' keepRecentTokens has no say in how much of a list stays. */
function budgetsOf(
  { request, model, budget, warnings }: ListPass,
  deps: PipelineDeps,
): { readonly budgets: SummaryBudgets; readonly warnings: readonly string[] } {
  const given = request.settings?.reserveTokens ?? deps.defaults.compaction.reserveTokens
  const reserve = resolveReserve(given, budget.contextWindow)
  const { maxOutputTokens } = model.candidates[0]
  return {
    budgets: summaryBudgets({ reserveTokens: reserve.reserveTokens, maxOutputTokens, maxTokens: request.maxTokens }),
    warnings: [...warnings, ...reserve.warnings],
  }
}

function specOf(
  { request, model, plan, state }: PlannedListPass,
  {
    transcript,
    budgets,
    region,
  }: { readonly transcript: string; readonly budgets: SummaryBudgets; readonly region: RegionFacts },
  deps: PipelineDeps,
): CallSpec {
  const previousSummary = withDurable(plan.previousSummary ?? '', state.ledger) || undefined
  // A cap that the caller sets holds; one that follows from a small reserve gives way to the length that the prompt asks for.
  const aimTokens =
    request.maxTokens === undefined ? plan.summaryBudgetTokens : Math.min(plan.summaryBudgetTokens, budgets.history)
  const { system, prompt, instructions } = assemblePrompt(
    {
      kind: 'list',
      conversation: transcript,
      previousSummary,
      additionalContext: request.additionalContext,
      customInstructions: request.customInstructions,
      promptOverride: request.promptOverride,
      focus: request.focus ?? plan.autoFocus ?? undefined,
      budgetTokens: aimTokens,
    },
    deps.prompts,
  )
  return {
    kind: 'list',
    system,
    prompt: textPrompt(prompt),
    maxTokens: capOf(budgets.history, aimTokens, model.candidates[0].maxOutputTokens),
    embedded: { tokens: EMBEDDED_TOKENS },
    expects: request.promptOverride === undefined ? 'headings' : 'text',
    answer: expectedAnswer({ instructions, previousSummary, region }),
  }
}

/** In a small window the reserve is smaller than the length that the prompt asks for: a cap under it would cut (#13576). */
function capOf(historyTokens: number, aimTokens: number, mostTokens = HISTORY_CAP_TOKENS): number {
  return aimTokens <= historyTokens ? historyTokens : Math.min(2 * aimTokens, HISTORY_CAP_TOKENS, mostTokens)
}
