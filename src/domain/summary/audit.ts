import { NOTICE } from '../extractive/notice.ts'
import type { FactKind } from '../ledger/ledger-facts.ts'
import type { Ledger } from '../ledger/ledger-value.ts'
import { textTokens } from '../tokens/text-tokens.ts'
import { additionsBudget, EMBEDDED_MOST_TOKENS } from './budgets.ts'
import { stripFileTags } from './file-tags.ts'
import { missingFacts } from './missing-facts.ts'
import type { RegionFacts } from './region-facts.ts'
import { restoreFacts } from './restore-facts.ts'
import { unsupportedPaths } from './unsupported-paths.ts'

/** What the audit found, as answers of the service carry it (docs/spec/contract.md §3a). */
export interface Audit {
  readonly facts: number
  readonly kept: number
  readonly restored: readonly { readonly kind: FactKind; readonly text: string }[]
  readonly unsupportedPaths: readonly string[]
}

/** What of a region an answer is audited by. */
export interface AuditedRegion extends Pick<RegionFacts, 'facts'> {
  readonly held: Pick<Ledger, 'files'>
}

export interface AuditRequest {
  /** The unwrapped answer, or the merged one of a split turn, before file tags and pinned texts. */
  readonly summary: string
  readonly region: AuditedRegion
  /** The texts as the model was shown them: paths that occur in none of them are invented. */
  readonly source: readonly string[]
  /** Cap of the history call in tokens; the additions may take a tenth of it (docs/spec/compaction.md §12). */
  readonly budgetTokens: number
  /** What else the model was shown beside the region. */
  readonly previousSummary?: string | undefined
  readonly additionalContext?: readonly string[] | undefined
}

const NOT_SEEN = 'Not seen in the history: '
/** What an earlier audit doubted is not known because it was doubted. */
const NOT_SEEN_LINE = /^Not seen in the history: [^\n]*$/gm
const MOST_SHOWN = 20

/**
 * Looks the hard facts of the region up in the summary and appends what is missing (docs/spec/compaction.md §7.4). The summary
 * itself is never changed or shortened; when nothing is missing it comes back as it is.
 */
export function auditSummary(request: AuditRequest): { readonly text: string; readonly audit: Audit } {
  const { summary, region } = request
  const { facts, held } = region
  const missing = missingFacts(summary, facts)
  const { text, restored } = restoreFacts(summary, missing, additionsTokens(request))
  const previous = (request.previousSummary ?? '').replace(NOT_SEEN_LINE, '')
  const source = [...request.source, previous, ...(request.additionalContext ?? [])]
  // Its own file tags are replaced by ours, so what they name does not count.
  const unsupported = unsupportedPaths(stripFileTags(summary), source, filesOf(held))
  const audit: Audit = {
    facts: facts.length,
    kept: facts.length - missing.length,
    restored: restored.map(({ kind, text: line }) => ({ kind, text: line })),
    unsupportedPaths: unsupported,
  }
  return { text: unsupported.length === 0 ? text : `${text.trimEnd()}\n\n${NOT_SEEN}${shown(unsupported)}`, audit }
}

/** Files that calls touched: a conversation of megabytes is not searched for what is known to stand in it. */
const filesOf = ({ files }: Pick<Ledger, 'files'>): ReadonlySet<string> =>
  new Set([...files.read, ...files.modified.map(({ path }) => path)])

/** A tenth of the cap; an embedded summary stays short with its additions, too (docs/spec/truth.md §5). */
function additionsTokens({ summary, budgetTokens }: AuditRequest): number {
  const tenth = additionsBudget(budgetTokens)
  return summary.startsWith(NOTICE) ? Math.min(tenth, Math.max(0, EMBEDDED_MOST_TOKENS - textTokens(summary))) : tenth
}

/** What a reader of the answer has to know beyond its text (docs/spec/truth.md §8). */
export function auditWarnings({ unsupportedPaths: paths }: Audit): string[] {
  return paths.length === 0 ? [] : [`The summary names paths that stand nowhere in the history: ${shown(paths)}`]
}

function shown(paths: readonly string[]): string {
  const more = paths.length > MOST_SHOWN ? `, and ${paths.length - MOST_SHOWN} more` : ''
  return paths.slice(0, MOST_SHOWN).join(', ') + more
}
