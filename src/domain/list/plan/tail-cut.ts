import { hasCalls, isBoundAt, type Row, roleOf, textOf } from '../../dialects/row.ts'
import { chatMessageTokens } from '../../tokens/chat-tokens.ts'
import { isActionableUser } from '../user-row.ts'

export interface TailCutOptions {
  /** First position that may be folded. */
  readonly start: number
  readonly protectLast: number
  readonly tailTokens: number
  readonly softCeilingTokens: number
  /** What the walk back may gather; default: the soft ceiling, for rows that were pruned already. */
  readonly walkTokens?: number | undefined
}

export interface TailCut {
  /** First position of the tail. */
  readonly cut: number
  /** Position before the cut of the newest request, when the work since is too much to keep: it goes after the summary. */
  readonly liveAsk: number | null
}

const LEAST_ROWS = 3
const FLOOR_ROWS = 8

/** Where the tail that is kept word for word begins (docs/spec/lists.md §5.2). Never lands inside a call and its results. */
export function findTailCut(rows: readonly Row[], options: TailCutOptions): TailCut {
  const { start } = options
  const least = leastRows(rows.length, options)
  let cut = walk(rows, options, least)
  cut = Math.min(cut, rows.length - least)
  if (cut <= start) cut = Math.max(rows.length - least, start + 1)
  cut = alignBack(rows, cut)
  const ask = rows.findLastIndex(isActionableUser)
  if (ask > start && ask < cut && isInReach(rows, { from: ask + 1, cut }, options)) cut = ask
  cut = anchorNewestAnswer(rows, cut, options)
  cut = bridge(rows, cut, start)
  cut = alignForward(rows, Math.max(cut, start + 1))
  return { cut, liveAsk: ask >= start && ask < cut ? ask : null }
}

/** Rows the tail has at least, whatever they weigh. */
function leastRows(n: number, { start, protectLast }: TailCutOptions): number {
  const available = Math.max(0, n - start - 1)
  if (available <= 1) return 0
  const floor = Math.max(LEAST_ROWS, Math.min(protectLast, FLOOR_ROWS))
  return Math.min(floor, Math.max(LEAST_ROWS, available - 2), available)
}

function walk(rows: readonly Row[], options: TailCutOptions, least: number): number {
  const { start, tailTokens, walkTokens: softCeilingTokens = options.softCeilingTokens } = options
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

/** From after an assistant's calls, or inside what belongs to one answer, back to that assistant. */
function alignBack(rows: readonly Row[], cut: number): number {
  let at = cut
  while (at > 0 && isBoundAt(rows, at - 1)) at -= 1
  const parent = rows[at - 1]
  const belongs = parent !== undefined && (hasCalls(parent) || rows[at]?.isBound === true)
  return at < cut && belongs ? at - 1 : cut
}

function alignForward(rows: readonly Row[], cut: number): number {
  let at = cut
  while (at < rows.length && isBoundAt(rows, at)) at += 1
  return at
}

/**
 * The newest request and the newest answer the user saw are reached for (#10896, #29824), unless the work between them and the
 * cut weighs more than a whole tail may: keeping all of it would leave nothing to fold, pass after pass.
 */
function isInReach(
  rows: readonly Row[],
  { from, cut }: { readonly from: number; readonly cut: number },
  { softCeilingTokens }: TailCutOptions,
): boolean {
  let tokens = 0
  for (let at = from; at < cut; at += 1) tokens += weightOf(rows, at)
  return tokens <= softCeilingTokens
}

function anchorNewestAnswer(rows: readonly Row[], cut: number, options: TailCutOptions): number {
  const newest = rows.findLastIndex(
    (row) => roleOf(row.message) === 'assistant' && textOf(row.message.content).trim() !== '',
  )
  if (newest <= options.start || newest >= cut || !isInReach(rows, { from: newest, cut }, options)) return cut
  return Math.max(alignBack(rows, newest), options.start + 1)
}

/** Takes the answer before the live request along, so that the summary does not have to be merged into that request. */
function bridge(rows: readonly Row[], cut: number, start: number): number {
  const first = rows[cut]
  const before = rows[cut - 1]
  if (first === undefined || before === undefined || !isActionableUser(first)) return cut
  if (cut !== rows.findLastIndex(isActionableUser)) return cut
  const bridged = isBoundAt(rows, cut - 1)
    ? alignBack(rows, cut)
    : roleOf(before.message) === 'assistant'
      ? cut - 1
      : cut
  return bridged > start ? bridged : cut
}

function weightOf(rows: readonly Row[], at: number): number {
  const row = rows[at]
  return row === undefined ? 0 : chatMessageTokens(row.message)
}
