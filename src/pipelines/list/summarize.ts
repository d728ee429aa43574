import { resolveReserve } from '../../domain/compaction/settings.ts'
import { rowsToConversation } from '../../domain/dialects/rows-to-conversation.ts'
import { withDurable } from '../../domain/ledger/previous/with-durable.ts'
import { assemblePrompt } from '../../domain/prompts/assemble-prompt.ts'
import { HISTORY_CAP_TOKENS, type SummaryBudgets, summaryBudgets } from '../../domain/summary/budgets.ts'
import { expectedAnswer } from '../../domain/summary/judge/expected-answer.ts'
import { type RegionFacts, regionFacts } from '../../domain/summary/region-facts.ts'
import { serialize } from '../../domain/transcript/serialize.ts'
import type { CompactMessagesResult } from '../compact-result-schema.ts'
import type { CallSpec } from '../model-call.ts'
import type { PipelineDeps, Step } from '../pipeline-context.ts'
import { promptRows } from '../prompt-rows.ts'
import { listAnswer } from './answer.ts'
import { summaryInList } from './finish.ts'
import { dryList, type ListPass, noListPass, type PlannedListPass } from './pass.ts'
import { summarizedList } from './result.ts'

/** Asks the models for the summary of the planned region and puts it in its place; rejected where it saves nothing. */
export async function summarizeList(step: Step<PlannedListPass>, signal: AbortSignal): Promise<CompactMessagesResult> {
  const { pass, deps } = step
  const { plan } = pass
  const { budgets, warnings } = budgetsOf(pass, deps)
  const conversation = rowsToConversation(plan.rowsToSummarize)
  const transcript = serialize(conversation)
  const region = regionFacts(conversation, { summary: plan.previousSummary ?? '', durable: pass.state.ledger })
  const spec = specOf(pass, { transcript, budgets, region }, deps)
  if (pass.request.dryRun) return dryList(pass, plan, { prompts: promptRows([spec], pass.model), warnings })
  const answer = await listAnswer({ spec, conversation }, step, signal)
  const made = summaryInList(
    { pass, conversation, transcript, region, answer: answer.text, budgetTokens: budgets.history },
    deps,
  )
  const cost = { calls: answer.calls, usage: answer.usage, warnings: [...warnings, ...answer.warnings] }
  if (made.kind === 'rejected') return noListPass(pass, made.reason, cost)
  deps.observer.audit(made.audit.kept, made.audit.restored.length)
  const { method, degraded, fallbackUsed } = answer
  return summarizedList(pass, made, {
    ...cost,
    summary: made.summary,
    audit: made.audit,
    method,
    degraded,
    fallbackUsed,
  })
}

/** Caps from the reserve alone: how much of a list stays is not the sessions' keepRecentTokens to say. */
function budgetsOf(
  { request, model, budget, warnings }: ListPass,
  deps: PipelineDeps,
): { readonly budgets: SummaryBudgets; readonly warnings: readonly string[] } {
  const given = request.settings?.reserveTokens ?? deps.defaults.compaction.reserveTokens
  const reserve = resolveReserve(given, budget.contextWindow)
  const { maxOutputTokens } = model.candidates[0]
  return {
    budgets: summaryBudgets({ reserveTokens: reserve.reserveTokens, maxOutputTokens }),
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
  const { system, prompt, instructions } = assemblePrompt(
    {
      kind: 'list',
      conversation: transcript,
      previousSummary,
      additionalContext: request.additionalContext,
      customInstructions: request.customInstructions,
      promptOverride: request.promptOverride,
      focus: request.focus ?? plan.autoFocus ?? undefined,
      budgetTokens: plan.summaryBudgetTokens,
    },
    deps.prompts,
  )
  return {
    kind: 'list',
    system,
    prompt,
    maxTokens: capOf(budgets.history, plan.summaryBudgetTokens, model.candidates[0].maxOutputTokens),
    expects: request.promptOverride === undefined ? 'headings' : 'text',
    answer: expectedAnswer({ instructions, previousSummary, ...region }),
  }
}

/** In a small window the reserve is smaller than the length that the prompt asks for: a cap under it would cut (#13576). */
function capOf(historyTokens: number, aimTokens: number, mostTokens = HISTORY_CAP_TOKENS): number {
  return aimTokens <= historyTokens ? historyTokens : Math.min(2 * aimTokens, HISTORY_CAP_TOKENS, mostTokens)
}
