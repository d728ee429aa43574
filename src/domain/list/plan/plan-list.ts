import type { Loose } from '../../dialects/codec.ts'
import { stripOldMedia } from '../../dialects/old-media.ts'
import { sanitizePairs } from '../../dialects/pairs.ts'
import { readList } from '../../dialects/parse-messages.ts'
import type { Repair } from '../../dialects/repair.ts'
import type { Row } from '../../dialects/row.ts'
import { sweepMarkers } from '../assemble/sweep.ts'
import { unwrapHandoffs } from '../assemble/unwrap-handoffs.ts'
import { checkValidity, type Validity } from '../assemble/validity.ts'
import { listTokens, sumTokens } from '../list-tokens.ts'
import { madeProgress } from '../progress.ts'
import { isAlreadyCompacted } from './already-compacted.ts'
import { type Boundaries, findBoundaries } from './boundaries.ts'
import { autoFocus } from './focus.ts'
import { type ListBudget, summaryBudget } from './list-budget.ts'
import type { ListInput } from './list-input.ts'
import { preparedBoundaries } from './prepared-boundaries.ts'
import type { PrunedRows } from './prune-rows.ts'
import { prunedRows } from './pruned-rows.ts'

/** Nothing to do: the caller's messages stay untouched, markers and all. */
export interface NoopPlan {
  readonly kind: 'noop'
  readonly reason: 'nothing-to-compact' | 'already-compacted'
  readonly tokensBefore: number
}

/** No region to summarise, but pruning alone made progress: `method: prune`. */
export interface PrunedPlan {
  readonly kind: 'pruned'
  readonly messages: readonly Loose[]
  readonly tokensBefore: number
  readonly tokensAfter: number
  readonly validity: Validity
  readonly pruned: PrunedRows
}

/** A region to summarise and everything assembleList needs afterwards. */
export interface SummaryPlan {
  readonly kind: 'plan'
  readonly input: ListInput
  /** The region as it came, unpruned: the serialiser cuts by itself. */
  readonly rowsToSummarize: readonly Row[]
  /** Bodies of earlier summaries found in the list. */
  readonly previousSummary: string | null
  readonly head: readonly Row[]
  readonly tail: readonly Row[]
  /** Positions in the caller's list, end exclusive. */
  readonly boundaries: { readonly start: number; readonly end: number }
  /** Caller positions that held an earlier summary. */
  readonly summaryIndexes: readonly number[]
  readonly repaired: readonly Repair[]
  /** Head and tail after pruning. */
  readonly pruned: PrunedRows
  readonly tokensBefore: number
  /** All that goes: region, earlier summary, and what pruning took. The new summary must be smaller (docs/spec/compaction.md §7.5). */
  readonly tokensReplaced: number
  readonly summaryBudgetTokens: number
  /** Newest user requests of the whole list, for a caller who named no focus; null without any. */
  readonly autoFocus: string | null
}

export type ListPlan = NoopPlan | PrunedPlan | SummaryPlan

/** Decides what of a list is kept, pruned and summarised (docs/spec/lists.md §4, §5). Pure; the input is never changed. */
export function planList(input: ListInput): ListPlan {
  const given = input.rows
  const tokensBefore = listTokens(given, input)
  if (!input.force && isLastOutput(input, tokensBefore)) {
    return { kind: 'noop', reason: 'already-compacted', tokensBefore }
  }
  const unwrapped = unwrapHandoffs(given)
  const mended = sanitizePairs(unwrapped.rows)
  // Judged by what the rows weigh as they came: what is kept is kept as it is, not as one line each.
  const found = findBoundaries(mended.rows, {
    ...input.budget,
    walkTokens: input.prune === false ? undefined : input.budget.tailTokens,
    protectFirst: input.protect.first,
    protectLast: input.protect.last,
    decayed: input.state.compressionCount > 0 || unwrapped.indexes.length > 0,
  })
  const boundaries =
    found === null ? null : (preparedBoundaries(mended.rows, input.prepared, input.budget.tailTokens) ?? found)
  if (boundaries === null) return prunedOrNothing(input, tokensBefore, 'nothing-to-compact')
  const known = { unwrapped, protectFirst: input.protect.first, budget: input.budget }
  if (!input.force && isAlreadyCompacted(mended.rows, boundaries.end, known)) {
    return prunedOrNothing(input, tokensBefore, 'already-compacted')
  }
  const region = mended.rows.slice(boundaries.start, boundaries.end)
  if (region.every((row) => row.carried === true)) {
    return prunedOrNothing(input, tokensBefore, 'nothing-to-compact')
  }
  const kept = keptRows({ rows: mended.rows, region }, boundaries, input)
  return {
    kind: 'plan',
    input,
    ...aboutRegion(region, input.budget),
    ...kept,
    previousSummary: unwrapped.previousSummary,
    boundaries: callerBoundaries(
      { count: input.messages.length, rows: mended.rows },
      boundaries,
      new Set(unwrapped.indexes),
    ),
    summaryIndexes: unwrapped.indexes,
    repaired: mended.repaired,
    tokensBefore,
    tokensReplaced: sumTokens(given) - sumTokens(kept.head) - sumTokens(kept.tail),
    autoFocus: autoFocus(mended.rows),
  }
}

/** The caller sends exactly what the last pass gave it. */
function isLastOutput({ state, messages }: ListInput, tokens: number): boolean {
  return state.lastRows > 0 && state.lastRows === messages.length && state.lastTokens === tokens
}

function aboutRegion(
  region: readonly Row[],
  budget: ListBudget,
): Pick<SummaryPlan, 'rowsToSummarize' | 'summaryBudgetTokens'> {
  const rowsToSummarize = region.filter((row) => row.carried !== true)
  return {
    rowsToSummarize,
    summaryBudgetTokens: summaryBudget(sumTokens(rowsToSummarize), budget.maxSummaryTokens),
  }
}

/** I3: the newest request stands after the summary word for word, even where the work since was folded. */
function keptRows(
  { rows, region }: { readonly rows: readonly Row[]; readonly region: readonly Row[] },
  { start, end, liveAsk }: Boundaries,
  input: ListInput,
): Pick<SummaryPlan, 'head' | 'tail' | 'pruned'> {
  // Only what is kept is pruned: the region is summarized as it came.
  const pruned = prunedRows([...rows.slice(0, start), ...rows.slice(end)], input, start)
  const ask = liveAsk === null ? undefined : rows[liveAsk]
  return {
    pruned,
    head: [...pruned.rows.slice(0, start), ...region.filter((row) => row.carried === true)],
    tail: [...(ask === undefined ? [] : [ask]), ...pruned.rows.slice(start)],
  }
}

/** Earlier summaries stay where they are: no new one takes their place. */
function prunedOrNothing(input: ListInput, tokensBefore: number, reason: NoopPlan['reason']): NoopPlan | PrunedPlan {
  const { codec } = input
  const noop: NoopPlan = { kind: 'noop', reason, tokensBefore }
  if (input.prune === false) return noop
  const mended = sanitizePairs(input.rows)
  const pruned = prunedRows(mended.rows, input)
  const stripped = stripOldMedia(pruned.rows)
  if (pruned.tokensSaved === 0 && stripped === pruned.rows) return noop
  const fit = codec.repair(stripped)
  const messages = sweepMarkers(codec.write(fit.rows, input.messages))
  const tokensAfter = listTokens(readList(messages, input.format).rows, input)
  if (!madeProgress(tokensBefore, tokensAfter)) return noop
  const validity = checkValidity(fit.rows, input, [...mended.repaired, ...fit.repaired])
  return { kind: 'pruned', messages, tokensBefore, tokensAfter, validity, pruned }
}

/** Row positions as caller positions; a summary that stood right before the region is replaced too. */
function callerBoundaries(
  { count, rows }: { readonly count: number; readonly rows: readonly Row[] },
  { start, end }: { readonly start: number; readonly end: number },
  summaries: ReadonlySet<number>,
): { start: number; end: number } {
  let first = rows[start]?.index ?? count
  while (summaries.has(first - 1)) first -= 1
  return { start: first, end: rows[end]?.index ?? count }
}
