import { assembleList } from '../domain/chat/assemble-list.ts'
import { fallbackSummary } from '../domain/chat/fallback.ts'
import type { SummaryPlan } from '../domain/chat/plan-list.ts'
import { upsertToolFacts } from '../domain/chat/tool-facts.ts'
import { regionOfRows, toolUsesOfRows, transcriptOfRows } from '../domain/chat/transcript-rows.ts'
import { RecapdError } from '../domain/errors.ts'
import { fileLists } from '../domain/facts/file-operations.ts'
import { redact } from '../domain/facts/redact.ts'
import { assemblePrompt } from '../domain/summary/assemble-prompt.ts'
import { type Audit, auditSummary } from '../domain/summary/audit.ts'
import { type SummaryBudgets, summaryBudgets } from '../domain/summary/budgets.ts'
import { upsertFileTags } from '../domain/summary/file-tags.ts'
import { withPinned } from '../domain/summary/pinned.ts'
import { readFileTags } from '../domain/summary/read-file-tags.ts'
import { serialise, type TranscriptItem } from '../domain/transcript/serialise.ts'
import { type CallRow, NO_USAGE, type Usage } from '../models/model.ts'
import type { CompactMessagesResult } from './compact-schema.ts'
import { type ListPass, noListPass } from './list-pass.ts'
import { summarisedList } from './list-result.ts'
import { type CallSpec, callModel } from './model-call.ts'
import type { Emit, PipelineDeps } from './pipeline-context.ts'
import { promptRows } from './prompt-rows.ts'
import { settingsOf } from './session-pass.ts'

/** Asks the models for the summary of the planned region and puts it in its place; rejected where it saves nothing. */
export async function summariseList(
  pass: ListPass,
  plan: SummaryPlan,
  deps: PipelineDeps,
  signal: AbortSignal,
  emit: Emit | undefined,
): Promise<CompactMessagesResult> {
  const { model, request } = pass
  const { settings, warnings } = settingsOf(request, model, deps)
  const { maxOutputTokens } = model.candidates[0]
  const budgets = summaryBudgets({
    reserveTokens: settings.reserveTokens,
    ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
  })
  const items = transcriptOfRows(plan.rowsToSummarise)
  const spec = specOf(pass, plan, items, budgets, deps)
  if (request.dryRun)
    return noListPass(pass, 'dry-run', {
      plan,
      prompts: promptRows([spec], model),
      warnings: [...pass.warnings, ...warnings],
    })

  const answer = await answerOf(pass, plan, spec, deps, signal, emit)
  const all = [...pass.warnings, ...answer.warnings]
  const made = textOf(pass, plan, items, answer.text, budgets, deps)
  const assembled = assembledOf(plan, made, answer.text)
  const cost = { calls: answer.calls, usage: answer.usage, warnings: all }
  if (assembled.kind === 'rejected')
    return noListPass(pass, assembled.reason, { plan, ...cost, boundaries: { start: 0, end: 0 } })
  deps.observer.audit(made.audit.kept, made.audit.restored.length)
  const { method, degraded, fallbackUsed } = answer
  return summarisedList(pass, plan, assembled, {
    ...cost,
    summary: assembled.summary,
    audit: made.audit,
    method,
    degraded,
    fallbackUsed,
  })
}

function specOf(
  pass: ListPass,
  plan: SummaryPlan,
  items: readonly TranscriptItem[],
  budgets: SummaryBudgets,
  deps: PipelineDeps,
): CallSpec {
  const { request } = pass
  const { system, prompt } = assemblePrompt(
    {
      kind: 'list',
      conversation: serialise(items, { neutralisesMedia: true }),
      previousSummary: plan.previousSummary ?? undefined,
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
    maxTokens: budgets.history,
    expects: request.promptOverride === undefined ? 'headings' : 'text',
  }
}

interface Answer {
  readonly text: string
  readonly method: CompactMessagesResult['method']
  readonly degraded: boolean
  readonly fallbackUsed: boolean
  readonly calls: readonly CallRow[]
  readonly usage: Usage
  readonly warnings: readonly string[]
}

/** The chain's answer, or, asked for and marked, the deterministic one made from the rows alone (hermes-spec §11, §12). */
async function answerOf(
  pass: ListPass,
  plan: SummaryPlan,
  spec: CallSpec,
  deps: PipelineDeps,
  signal: AbortSignal,
  emit: Emit | undefined,
): Promise<Answer> {
  const { model, context, request } = pass
  try {
    const { completion, rows } = await callModel(spec, { model, context, deps, emit, onFailure: 'error' }, signal)
    const { text, method, degraded, usage, warnings } = completion
    return { text, method, degraded, fallbackUsed: false, calls: rows, usage, warnings }
  } catch (error) {
    signal.throwIfAborted()
    if (request.onFailure === 'error' || !(error instanceof RecapdError)) throw error
    const text = fallbackSummary({
      rows: plan.rowsToSummarise,
      previousSummary: plan.previousSummary,
      reason: error.code,
    })
    const attempts = (error.extras.attempts ?? []) as CallRow['attempts']
    const calls =
      attempts.length === 0
        ? []
        : [{ kind: 'list', model: model.candidates[0].id, usage: NO_USAGE, attempts, durationMs: 0 }]
    const warning = `All models failed (${error.code}); the summary was made from the messages alone, without a language model.`
    return {
      text,
      method: 'extractive',
      degraded: true,
      fallbackUsed: true,
      calls,
      usage: NO_USAGE,
      warnings: [warning],
    }
  }
}

interface SummaryParts {
  readonly audit: Audit
  /** The summary with everything that stands beside it, with the record of tool calls or without. */
  text(withCalls: boolean): string
}

/** Audit, redaction, tool names and paths, pins, file tags: what stands beside every summary (session-compaction §7, §10). */
function textOf(
  pass: ListPass,
  plan: SummaryPlan,
  items: readonly TranscriptItem[],
  summary: string,
  budgets: SummaryBudgets,
  deps: PipelineDeps,
): SummaryParts {
  const { rowsToSummarise } = plan
  const previousSummary = plan.previousSummary ?? ''
  const source = items.flatMap(({ text, calls = [] }) => [
    text,
    ...calls.map(({ args }) => (typeof args === 'string' ? args : JSON.stringify(args))),
  ])
  const { text, audit } = auditSummary({
    summary,
    region: { events: regionOfRows(rowsToSummarise), source },
    budgetTokens: budgets.history,
    previousSummary,
    additionalContext: pass.request.additionalContext,
  })
  const files = fileLists(toolUsesOfRows(rowsToSummarise), [readFileTags(previousSummary)])
  return {
    audit,
    text(withCalls) {
      const body = withCalls ? upsertToolFacts(text, rowsToSummarise, plan.previousSummary) : text
      return upsertFileTags(
        withPinned(redact(body), pass.request.pinned, previousSummary),
        files,
        deps.prompts['file-operations'],
      )
    },
  }
}

/** In a list so short that the record of its calls eats what the summary saves, the record is left out. */
function assembledOf(plan: SummaryPlan, parts: SummaryParts, bare: string) {
  const whole = parts.text(true)
  const assembled = assembleList(plan, { text: whole, bare })
  if (assembled.kind === 'compacted') return { ...assembled, summary: whole }
  const short = parts.text(false)
  return { ...assembleList(plan, { text: short, bare }), summary: short }
}
