import type { Conversation } from '../../domain/conversation/conversation.ts'
import { type FileLists, fileLists } from '../../domain/conversation/file-lists.ts'
import { durableOf } from '../../domain/ledger/durable-ledger.ts'
import type { DurableLedger, Ledger } from '../../domain/ledger/ledger-value.ts'
import { type Audit, auditSummary } from '../../domain/summary/audit.ts'
import { upsertFileTags } from '../../domain/summary/file-tags.ts'
import { isInflated, mergeSummary } from '../../domain/summary/merge.ts'
import { withPinned } from '../../domain/summary/pinned.ts'
import type { RegionFacts } from '../../domain/summary/region-facts.ts'
import { redact } from '../../domain/text/redact.ts'
import { textTokens } from '../../domain/tokens/text-tokens.ts'
import type { PipelineDeps } from '../pipeline-context.ts'
import type { PlannedPass } from './pass.ts'

export interface SessionSummaryInput {
  readonly pass: PlannedPass
  /** History and prefix. */
  readonly conversation: Conversation
  readonly region: RegionFacts
  /** The same as the models saw it: a path that appears nowhere in it is invented. */
  readonly conversations: readonly string[]
  /** Checked answers; a region without messages has none. */
  readonly history: string | undefined
  readonly prefix: string | undefined
  /** Cap of the history call; the audit may add a tenth of it. */
  readonly budgetTokens: number
  /** All that the models were shown beside the conversation: the caller's and a hook's. */
  readonly additionalContext: readonly string[]
}

export interface SessionSummary {
  readonly summary: string
  readonly audit: Audit
  readonly details: FileLists & { readonly ledger?: DurableLedger | undefined }
}

/**
 * Merge, growth check, audit, redaction, pins, file tags, in this order (docs/spec/compaction.md §7); null: the answer is larger
 * than what it replaces.
 */
export function sessionSummary(input: SessionSummaryInput, { prompts }: PipelineDeps): SessionSummary | null {
  const { pass, conversation, region, conversations, history, prefix, budgetTokens, additionalContext } = input
  const { previousSummary, report } = pass.plan
  const merged = mergeSummary({ history, previousSummary, prefix })
  const replaced = report.tokens.history + report.tokens.turnPrefix + textTokens(previousSummary ?? '')
  if (isInflated(merged, replaced)) return null
  const { text, audit } = auditSummary({
    summary: merged,
    region,
    source: conversations,
    budgetTokens,
    previousSummary,
    additionalContext,
  })
  const details = { ...fileLists(conversation, [pass.plan.previousDetails]), ledger: keptLedger(region.held) }
  const pinned = withPinned(redact(text), pass.request.pinned, previousSummary)
  return { summary: upsertFileTags(pinned, details, prompts['file-operations']), audit, details }
}

/** A goal alone needs no ledger: the audit keeps it in the summary. */
function keptLedger(held: Ledger): DurableLedger | undefined {
  const durable = durableOf(held)
  return durable.constraints.length + durable.decisions.length + durable.links.length === 0 ? undefined : durable
}
