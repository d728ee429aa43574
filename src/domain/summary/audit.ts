import type { Conversation } from '../conversation/conversation.ts'
import { type FactKind, type HardFact, hardFacts } from '../ledger/hard-facts.ts'
import { additionsBudget } from './budgets.ts'
import { indexAnswer, mentions, mentionsFile, tailsOf } from './mentions.ts'
import { restoreFacts } from './restore-facts.ts'
import { unsupportedPaths } from './unsupported-paths.ts'

/** What the audit found, as answers of the service carry it (http-api §3a). */
export interface Audit {
  readonly facts: number
  readonly kept: number
  readonly restored: readonly { readonly kind: FactKind; readonly text: string }[]
  readonly unsupportedPaths: readonly string[]
}

export interface AuditRequest {
  /** The unwrapped answer, or the merged one of a split turn, before file tags and pinned texts. */
  readonly summary: string
  readonly conversation: Conversation
  /** The texts as the model was shown them: paths that occur in none of them are invented. */
  readonly source: readonly string[]
  /** Cap of the history call in tokens; the additions may take a tenth of it (session-compaction §12). */
  readonly budgetTokens: number
  /** What else the model was shown beside the region. */
  readonly previousSummary?: string | undefined
  readonly additionalContext?: readonly string[] | undefined
}

/**
 * Looks the hard facts of the region up in the summary and appends what is missing (session-compaction §7.4). The summary
 * itself is never changed or shortened; when nothing is missing it comes back as it is.
 */
export function auditSummary(request: AuditRequest): { readonly text: string; readonly audit: Audit } {
  const { summary } = request
  const facts = hardFacts(request.conversation)
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

/** Share of the facts that the answer holds, 1 without any facts: how references of a mixture are ranked (models.md §8). */
export function auditScore(answer: string, facts: readonly HardFact[]): number {
  return facts.length === 0 ? 1 : 1 - missingFacts(answer, facts).length / facts.length
}

function missingFacts(answer: string, facts: readonly HardFact[]): HardFact[] {
  const index = indexAnswer(answer)
  const tails = new Map<string, number>()
  for (const fact of facts) {
    if (fact.kind !== 'file') continue
    for (const tail of tailsOf(fact.text)) tails.set(tail, (tails.get(tail) ?? 0) + 1)
  }
  const isUnique = (tail: string): boolean => tails.get(tail) === 1
  return facts.filter(
    (fact) => !(fact.kind === 'file' ? mentionsFile(index, fact.probe, isUnique) : mentions(index, fact.probe)),
  )
}
