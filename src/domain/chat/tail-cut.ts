import { messageTokens } from '../tokens/chat.ts'
import { hasCalls, isResult, isResultAt, type Row, roleOf, textOf } from './row.ts'
import { isActionableUser } from './synthetic.ts'

export interface TailCutOptions {
  /** First position that may be folded. */
  readonly start: number
  readonly protectLast: number
  readonly tailTokens: number
  readonly softCeilingTokens: number
}

const LEAST_ROWS = 3
const FLOOR_ROWS = 8

/** First position of the tail that is kept word for word (hermes-spec §5.2). Never lands inside a call and its results. */
export function findTailCut(rows: readonly Row[], options: TailCutOptions): number {
  const { start } = options
  const least = leastRows(rows.length, options)
  let cut = walk(rows, options, least)
  cut = Math.min(cut, rows.length - least)
  if (cut <= start) cut = Math.max(rows.length - least, start + 1)
  cut = alignBack(rows, cut)
  cut = anchorNewestUser(rows, cut, start)
  cut = anchorNewestAnswer(rows, cut, options)
  cut = bridge(rows, cut, start)
  return alignForward(rows, Math.max(cut, start + 1))
}

/** Rows the tail has at least, whatever they weigh. */
function leastRows(n: number, { start, protectLast }: TailCutOptions): number {
  const available = Math.max(0, n - start - 1)
  if (available <= 1) return 0
  const floor = Math.max(LEAST_ROWS, Math.min(protectLast, FLOOR_ROWS))
  return Math.min(floor, Math.max(LEAST_ROWS, available - 2), available)
}

function walk(rows: readonly Row[], { start, tailTokens, softCeilingTokens }: TailCutOptions, least: number): number {
  const n = rows.length
  let tokens = 0
  let cut = n
  for (let at = n - 1; at >= start; at -= 1) {
    const weight = weightOf(rows, at)
    if (tokens + weight > softCeilingTokens && n - at >= least) break
    tokens += weight
    cut = at
  }
  if (cut > start || tokens === 0 || tokens > softCeilingTokens) return cut
  // Everything fits under the inflated ceiling: cut by the plain budget, else a pass would do nothing for ever (#40803).
  tokens = 0
  for (let at = n - 1; at >= start; at -= 1) {
    cut = at
    const weight = weightOf(rows, at)
    if (tokens + weight > tailTokens && n - at >= least) break
    tokens += weight
  }
  return cut
}

/** From behind an assistant's calls back to that assistant. */
function alignBack(rows: readonly Row[], cut: number): number {
  let at = cut
  while (at > 0 && isResultAt(rows, at - 1)) at -= 1
  const parent = rows[at - 1]
  return at < cut && parent !== undefined && hasCalls(parent) ? at - 1 : cut
}

function alignForward(rows: readonly Row[], cut: number): number {
  let at = cut
  while (at < rows.length && isResultAt(rows, at)) at += 1
  return at
}

/** The newest request stays in the tail; the cut goes straight to it (#10896, #22566). */
function anchorNewestUser(rows: readonly Row[], cut: number, start: number): number {
  const newest = rows.findLastIndex(isActionableUser)
  return newest > start && newest < cut ? newest : cut
}

/**
 * The newest answer the user saw stays in the tail (#29824), unless the silent work after it alone is twice the ceiling: then
 * holding on to it would leave nothing to fold, pass after pass.
 */
function anchorNewestAnswer(rows: readonly Row[], cut: number, { start, softCeilingTokens }: TailCutOptions): number {
  const newest = rows.findLastIndex(
    (row) => roleOf(row.message) === 'assistant' && textOf(row.message.content).trim() !== '',
  )
  if (newest <= start || newest >= cut) return cut
  let tokens = 0
  for (let at = newest; at < rows.length; at += 1) tokens += weightOf(rows, at)
  return tokens > 2 * softCeilingTokens ? cut : Math.max(alignBack(rows, newest), start + 1)
}

/** Takes the answer before the live request along, so that the summary does not have to be merged into that request. */
function bridge(rows: readonly Row[], cut: number, start: number): number {
  const first = rows[cut]
  const before = rows[cut - 1]
  if (first === undefined || before === undefined || !isActionableUser(first)) return cut
  if (cut !== rows.findLastIndex(isActionableUser)) return cut
  const bridged = isResult(before) ? alignBack(rows, cut) : roleOf(before.message) === 'assistant' ? cut - 1 : cut
  return bridged > start ? bridged : cut
}

function weightOf(rows: readonly Row[], at: number): number {
  const row = rows[at]
  return row === undefined ? 0 : messageTokens(row.message)
}
