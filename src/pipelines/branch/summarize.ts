import { branchFileLists } from '../../domain/compaction/file-lists.ts'
import { assemblePrompt } from '../../domain/prompts/assemble-prompt.ts'
import type { Prompts } from '../../domain/prompts/prompts-shape.ts'
import { entryMessage, summaryMessage } from '../../domain/session/context.ts'
import type { Entry } from '../../domain/session/entry.ts'
import type { AgentMessage } from '../../domain/session/message.ts'
import { transcriptItems } from '../../domain/session/transcript-items.ts'
import { auditSummary } from '../../domain/summary/audit.ts'
import { summaryBudgets } from '../../domain/summary/budgets.ts'
import { upsertFileTags } from '../../domain/summary/file-tags.ts'
import { redact } from '../../domain/text/redact.ts'
import { regionFromItems } from '../../domain/transcript/region-from-items.ts'
import { serialize, type TranscriptItem } from '../../domain/transcript/serialize.ts'
import type { Completion } from '../../models/model.ts'
import { freeId } from '../free-id.ts'
import { type CallSpec, callModel } from '../model-call.ts'
import type { PipelineDeps, Step } from '../pipeline-context.ts'
import { promptRows } from '../prompt-rows.ts'
import { wrappersOf } from '../summary-wrappers.ts'
import { type BranchPass, collectedOf, noSummary } from './pass.ts'
import type { BranchSummaryResult } from './schema.ts'

/** A summary that passed every check, or a hook's own, ready to become an entry. */
export interface MadeBranchSummary {
  readonly summary: string
  readonly details: unknown
  readonly fromExtension?: true | undefined
  readonly result: Pick<BranchSummaryResult, 'method' | 'audit' | 'calls' | 'usage' | 'degraded' | 'warnings'>
}

/** Asks the model for what happened on the branch; a failure leaves nothing behind (http-api §4). */
export async function summarizeBranch(
  { pass, deps, emit }: Step<BranchPass>,
  signal: AbortSignal,
): Promise<BranchSummaryResult> {
  const spec = branchPrompt(pass, deps.prompts)
  if (spec === null) return noSummary(pass, 'nothing-to-summarize')
  const warnings = [...pass.warnings, ...leftOut(pass)]
  if (pass.request.dryRun) return noSummary(pass, 'dry-run', { prompts: promptRows([spec], pass.model), warnings })
  const caller = { model: pass.model, context: pass.context, deps, emit, onFailure: 'error' } as const
  const { completion, rows } = await callModel(spec, caller, signal)
  const { summary, details, audit } = summaryText(pass, spec, completion, deps)
  deps.observer.audit(audit.kept, audit.restored.length)
  const { method, usage, degraded } = completion
  const result = { method, audit, calls: rows, usage, degraded, warnings: [...warnings, ...completion.warnings] }
  return summarized(pass, { summary, details, result }, deps)
}

/** The entry at the new position, and the account of how it came about. */
export function summarized(pass: BranchPass, made: MadeBranchSummary, deps: PipelineDeps): BranchSummaryResult {
  const { positionId, fromId, editorText } = pass.placement
  const entry = {
    type: 'branch_summary' as const,
    id: freeId(pass.session, deps),
    parentId: positionId,
    timestamp: new Date(deps.now()).toISOString(),
    fromId,
    summary: made.summary,
    details: made.details,
    fromExtension: made.fromExtension,
  }
  return { summarized: true, entry, newLeafId: entry.id, editorText, collected: collectedOf(pass), ...made.result }
}

/**
 * Audit, redaction, preamble, file tags, in this order. The facts are those of the whole branch, also of what the budget
 * left out: nobody reads it again. A short branch may well be shorter than its summary, which replaces nothing.
 */
function summaryText(pass: BranchPass, { prompt, maxTokens }: CallSpec, completion: Completion, deps: PipelineDeps) {
  const { entries } = pass.abandoned
  const { text, audit } = auditSummary({
    summary: completion.text,
    region: regionFromItems(branchItems(entries, deps.prompts)),
    budgetTokens: maxTokens,
    additionalContext: [prompt],
  })
  const details = branchFileLists(entries)
  const body = `${deps.prompts['branch-summary-preamble']}${redact(text)}`
  return { summary: upsertFileTags(body, details, deps.prompts['file-operations']), details, audit }
}

/** Older entries that the budget leaves out, said aloud. */
function leftOut({ abandoned, selection, tokenBudget }: BranchPass): readonly string[] {
  const first = selection.includedEntryIds[0]
  const count = abandoned.entries.findIndex(({ id }) => id === first)
  if (count <= 0 || selection.totalTokens === 0) return []
  return [
    `The oldest ${count} of the abandoned entries did not fit the budget of ${tokenBudget} tokens; only their files and hard facts are told.`,
  ]
}

/** What the model is asked about the branch, or null where the branch says nothing (omp-spec §13). */
function branchPrompt(pass: BranchPass, prompts: Prompts): CallSpec | null {
  const { request, selection, model, reserveTokens } = pass
  const wrappers = wrappersOf(prompts)
  const conversation = serialize(transcriptItems(selection.messages, { wrappers, marksInterrupted: false }))
  if (conversation.trim() === '') return null
  const { maxOutputTokens } = model.candidates[0]
  const budgets = summaryBudgets({ reserveTokens, maxOutputTokens })
  const { customInstructions } = request
  const { system, prompt, instructions } = assemblePrompt({ kind: 'branch', conversation, customInstructions }, prompts)
  const expects = instructions === prompts['branch-summary'] ? 'headings' : 'text'
  return { kind: 'branch', system, prompt, maxTokens: budgets.branch, expects }
}

/** Everything that was said on the branch, the budget's leavings and tool results too: what the audit looks facts up in. */
function branchItems(entries: readonly Entry[], prompts: Prompts): readonly TranscriptItem[] {
  const messages = entries.flatMap((entry) => told(entry))
  return transcriptItems(messages, { wrappers: wrappersOf(prompts), marksInterrupted: true })
}

function told(entry: Entry): readonly AgentMessage[] {
  if (entry.type === 'compaction') return entry.summary ? [summaryMessage(entry)] : []
  const message = entryMessage(entry)
  return message === null || message.excludeFromContext === true ? [] : [message]
}
