import { branchFileLists } from '../../domain/compaction/plan-file-lists.ts'
import type { Conversation, Turn } from '../../domain/conversation/conversation.ts'
import { assemblePrompt, DEFAULT_TOKENS } from '../../domain/prompts/assemble-prompt.ts'
import type { Prompts } from '../../domain/prompts/prompts-shape.ts'
import { entryMessage, summaryMessage } from '../../domain/session/build-context.ts'
import type { Entry } from '../../domain/session/entry.ts'
import type { AgentMessage } from '../../domain/session/message.ts'
import { messagesToConversation } from '../../domain/session/messages-to-conversation.ts'
import { auditSummary, auditWarnings } from '../../domain/summary/audit.ts'
import { summaryBudgets } from '../../domain/summary/budgets.ts'
import { upsertFileTags } from '../../domain/summary/file-tags.ts'
import { expectedAnswer } from '../../domain/summary/judge/expected-answer.ts'
import { type RegionFacts, regionFacts } from '../../domain/summary/region-facts.ts'
import { redact } from '../../domain/text/redact.ts'
import { serialize } from '../../domain/transcript/serialize.ts'
import type { Completion } from '../../models/model.ts'
import { textPrompt } from '../../models/prompt.ts'
import { freeId } from '../free-id.ts'
import { type CallSpec, callModel } from '../model-call.ts'
import type { PipelineDeps, Step } from '../pipeline-context.ts'
import { promptRows } from '../prompt-rows.ts'
import { wrappersOf } from '../summary-wrappers.ts'
import type { BranchSummaryResult } from './branch-schema.ts'
import { type BranchPass, collectedOf, noSummary } from './pass.ts'

/** A summary that passed every check, or a hook's own, ready to become an entry. */
export interface MadeBranchSummary {
  readonly summary: string
  readonly details: unknown
  readonly fromExtension?: true | undefined
  readonly result: Pick<BranchSummaryResult, 'method' | 'audit' | 'calls' | 'usage' | 'degraded' | 'warnings'>
}

/** The branch as it was read, once. */
interface ReadBranch {
  readonly conversation: Conversation
  readonly region: RegionFacts
}

interface Answered extends ReadBranch {
  readonly spec: CallSpec
  readonly completion: Completion
}

/** Asks the model for what happened on the branch; a failure leaves nothing behind (docs/spec/contract.md §4). */
export async function summarizeBranch(
  { pass, deps, emit }: Step<BranchPass>,
  signal: AbortSignal,
): Promise<BranchSummaryResult> {
  const conversation = branchConversation(pass.abandoned.entries, deps.prompts)
  const region = regionFacts(conversation)
  const spec = branchPrompt(pass, { conversation, region }, deps.prompts)
  if (spec === null) return noSummary(pass, 'nothing-to-summarize')
  const warnings = [...pass.warnings, ...leftOut(pass)]
  if (pass.request.dryRun) return noSummary(pass, 'dry-run', { prompts: promptRows([spec], pass.model), warnings })
  const caller = { model: pass.model, context: pass.context, deps, emit, onFailure: 'error' } as const
  const { completion, rows } = await callModel(spec, caller, signal)
  const { summary, details, audit } = summaryText(pass, { conversation, region, spec, completion }, deps)
  deps.observer.audit(audit.kept, audit.restored.length)
  const { method, usage, degraded } = completion
  const result = {
    method,
    audit,
    calls: rows,
    usage,
    degraded,
    warnings: [...warnings, ...completion.warnings, ...auditWarnings(audit)],
  }
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
 * Audit, redaction, preamble, file tags, in this order. The facts are those of the whole branch, including what the budget
 * left out: nobody reads it again. A short branch may well be shorter than its summary, which replaces nothing.
 */
function summaryText(pass: BranchPass, { conversation, region, spec, completion }: Answered, deps: PipelineDeps) {
  const { prompt, maxTokens } = spec
  const { entries } = pass.abandoned
  const { text, audit } = auditSummary({
    summary: completion.text,
    region,
    source: [serialize(conversation)],
    budgetTokens: maxTokens,
    additionalContext: [prompt.text],
  })
  const details = branchFileLists(entries)
  const body = `${deps.prompts['branch-summary-preamble']}${redact(text)}`
  return { summary: upsertFileTags(body, details, deps.prompts['file-operations']), details, audit }
}

/** Warns of older entries that the budget leaves out. */
function leftOut({ abandoned, selection, tokenBudget }: BranchPass): readonly string[] {
  const first = selection.includedEntryIds[0]
  const count = abandoned.entries.findIndex(({ id }) => id === first)
  if (count <= 0 || selection.totalTokens === 0) return []
  return [
    `The oldest ${count} of the abandoned entries did not fit the budget of ${tokenBudget} tokens; only their files and hard facts are told.`,
  ]
}

/** What the model is asked about the branch, or null where the branch says nothing (docs/spec/sessions.md §13). */
function branchPrompt(pass: BranchPass, read: ReadBranch, prompts: Prompts): CallSpec | null {
  const { request, model, reserveTokens } = pass
  const conversation = serialize(included(pass, read.conversation), {
    results: 'outcomes',
  })
  if (conversation.trim() === '') return null
  const { maxOutputTokens } = model.candidates[0]
  const budgets = summaryBudgets({ reserveTokens, maxOutputTokens })
  const { customInstructions } = request
  const { system, prompt, instructions } = assemblePrompt(
    {
      kind: 'branch',
      conversation,
      customInstructions,
      budgetTokens: Math.min(DEFAULT_TOKENS.branch, budgets.branch),
    },
    prompts,
  )
  const expects = (customInstructions ?? '').trim() === '' ? 'headings' : 'text'
  const answer = expectedAnswer({ instructions, region: read.region })
  return { kind: 'branch', system, prompt: textPrompt(prompt), maxTokens: budgets.branch, expects, answer }
}

/** Everything that was said on the branch, including tool results and what the budget leaves out; `rows` are positions of entries. */
function branchConversation(entries: readonly Entry[], prompts: Prompts): Conversation {
  const converted = entries.map((entry) => toldOf(entry))
  const messages = converted.filter((message) => message !== null)
  const positions = converted.flatMap((message, at) => (message === null ? [] : [at]))
  const { turns } = messagesToConversation(messages, wrappersOf(prompts))
  return { turns: turns.map((turn) => ({ ...turn, rows: turn.rows.map((row) => positions[row] ?? row) })) }
}

/** What fits the budget, and what came of the calls in it. */
function included({ abandoned, selection }: BranchPass, { turns }: Conversation): Conversation {
  const ids = new Set(selection.includedEntryIds)
  const fits = ({ rows }: Turn): boolean => rows.some((row) => ids.has(abandoned.entries[row]?.id ?? ''))
  const calls = new Set<unknown>(turns.filter(fits).flatMap(({ parts }) => parts.filter(({ kind }) => kind === 'call')))
  return {
    turns: turns.filter(
      (turn) =>
        fits(turn) || turn.parts.some((part) => part.kind === 'result' && part.call !== null && calls.has(part.call)),
    ),
  }
}

function toldOf(entry: Entry): AgentMessage | null {
  if (entry.type === 'compaction') return entry.summary ? summaryMessage(entry) : null
  const message = entryMessage(entry)
  return message?.excludeFromContext === true ? null : message
}
