import type { Conversation } from '../../domain/conversation/conversation.ts'
import { fileLists } from '../../domain/conversation/file-lists.ts'
import { durableOf } from '../../domain/ledger/durable-ledger.ts'
import type { DurableLedger } from '../../domain/ledger/ledger-value.ts'
import { type AssembledList, assembleList, type RejectedList } from '../../domain/list/assemble/assemble-list.ts'
import { upsertToolFacts } from '../../domain/list/tool-facts.ts'
import { type Audit, auditSummary } from '../../domain/summary/audit.ts'
import { upsertFileTags } from '../../domain/summary/file-tags.ts'
import { withPinned } from '../../domain/summary/pinned.ts'
import { readFileTags } from '../../domain/summary/read-file-tags.ts'
import type { RegionFacts } from '../../domain/summary/region-facts.ts'
import { redact } from '../../domain/text/redact.ts'
import type { PipelineDeps } from '../pipeline-context.ts'
import type { PlannedListPass } from './pass.ts'

export interface SummaryInListInput {
  readonly pass: PlannedListPass
  /** The region as it was read, and as the model saw it: a path that appears nowhere in it is invented. */
  readonly conversation: Conversation
  readonly transcript: string
  readonly region: RegionFacts
  /** The checked answer. */
  readonly answer: string
  /** Cap of the call; the audit may add a tenth of it. */
  readonly budgetTokens: number
}

export type SummaryInList = (AssembledList | RejectedList) & {
  readonly summary: string
  readonly audit: Audit
  /** What the next pass starts from beside the summary. */
  readonly ledger: DurableLedger
}

/**
 * Audit, redaction, tool names and paths, pins and file tags (docs/spec/compaction.md §7, §10), then the list with that summary in
 * it. In a list so short that the record of its calls eats what the summary saves, the record is left out.
 */
export function summaryInList(input: SummaryInListInput, deps: PipelineDeps): SummaryInList {
  const { answer, pass } = input
  const { plan } = pass
  const { text, audit } = audited(input)
  const whole = complete(upsertToolFacts(text, input.conversation, plan.previousSummary), input, deps)
  const assembled = assembleList(plan, { text: whole, bare: answer })
  const durable = durableOf(input.region.held)
  if (assembled.kind === 'compacted') return { ...assembled, summary: whole, audit, ledger: durable }
  const short = complete(text, input, deps)
  return { ...assembleList(plan, { text: short, bare: answer }), summary: short, audit, ledger: durable }
}

function audited({ pass, region, transcript, answer, budgetTokens }: SummaryInListInput) {
  const { plan } = pass
  return auditSummary({
    summary: answer,
    region,
    source: [transcript],
    budgetTokens,
    previousSummary: plan.previousSummary ?? undefined,
    additionalContext: pass.request.additionalContext,
  })
}

/** What stands in the list: without secrets, with pins and files. */
function complete(text: string, { pass, conversation }: SummaryInListInput, { prompts }: PipelineDeps): string {
  const { plan } = pass
  const previous = plan.previousSummary ?? ''
  const files = fileLists(conversation, [readFileTags(previous)])
  const pinned = withPinned(redact(text), pass.request.pinned, previous)
  return upsertFileTags(pinned, files, prompts['file-operations'])
}
