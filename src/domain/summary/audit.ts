import type { FactKind, HardFact } from '../ledger/hard-facts.ts'
import { additionsBudget } from './budgets.ts'
import { missingFacts } from './missing-facts.ts'
import { restoreFacts } from './restore-facts.ts'
import { unsupportedPaths } from './unsupported-paths.ts'

/** What the audit found, as answers of the service carry it (docs/spec/contract.md §3a). */
export interface Audit {
  readonly facts: number
  readonly kept: number
  readonly restored: readonly { readonly kind: FactKind; readonly text: string }[]
  readonly unsupportedPaths: readonly string[]
}

export interface AuditRequest {
  /** The unwrapped answer, or the merged one of a split turn, before file tags and pinned texts. */
  readonly summary: string
  readonly facts: readonly HardFact[]
  /** The texts as the model was shown them: paths that occur in none of them are invented. */
  readonly source: readonly string[]
  /** Cap of the history call in tokens; the additions may take a tenth of it (docs/spec/compaction.md §12). */
  readonly budgetTokens: number
  /** What else the model was shown beside the region. */
  readonly previousSummary?: string | undefined
  readonly additionalContext?: readonly string[] | undefined
}

/**
 * Looks the hard facts of the region up in the summary and appends what is missing (docs/spec/compaction.md §7.4). The summary
 * itself is never changed or shortened; when nothing is missing it comes back as it is.
 */
export function auditSummary(request: AuditRequest): { readonly text: string; readonly audit: Audit } {
  const { summary, facts } = request
  const missing = missingFacts(summary, facts)
  const { text, restored } = restoreFacts(summary, missing, additionsBudget(request.budgetTokens))
  const source = [...request.source, request.previousSummary ?? '', ...(request.additionalContext ?? [])]
  const audit: Audit = {
    facts: facts.length,
    kept: facts.length - missing.length,
    restored: restored.map(({ kind, text: line }) => ({ kind, text: line })),
    unsupportedPaths: unsupportedPaths(summary, source),
  }
  return { text, audit }
}

/** Share of the facts that the answer holds, 1 without any facts: how references of a mixture are ranked (docs/spec/models.md §8). */
export function auditScore(answer: string, facts: readonly HardFact[]): number {
  return facts.length === 0 ? 1 : 1 - missingFacts(answer, facts).length / facts.length
}
