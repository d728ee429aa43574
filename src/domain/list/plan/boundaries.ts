import { isBoundAt, isInstruction, type Row, roleOf } from '../../dialects/row.ts'
import { isActionableUser } from '../user-row.ts'
import { findTailCut } from './tail-cut.ts'

export interface BoundaryOptions {
  readonly protectFirst: number
  readonly protectLast: number
  readonly tailTokens: number
  readonly softCeilingTokens: number
  readonly walkTokens?: number | undefined
  /** Compacted before: the first turns lose their protection, or they would be immortal (#11996). */
  readonly decayed: boolean
}

/** [start, end) is what a summary is to replace; positions in the rows. */
export interface Boundaries {
  readonly start: number
  readonly end: number
  /** Position within it of a request that is kept all the same, after the summary. */
  readonly liveAsk: number | null
}

const LEAST_MIDDLE_ROWS = 4

/** What to fold and what to keep (docs/spec/lists.md §5); null when there is nothing to fold. Rows hold no earlier summary. */
export function findBoundaries(rows: readonly Row[], options: BoundaryOptions): Boundaries | null {
  const instructions = leadingInstructions(rows)
  const head = instructions + (options.decayed ? 0 : options.protectFirst)
  // Nothing at the end is to be kept: the summary alone goes on (docs/spec/reading.md §3).
  if (options.protectLast === 0) return everythingFrom(rows, instructions, head)
  if (rows.length <= head + LEAST_MIDDLE_ROWS) return null
  const start = findStart(rows, instructions, head)
  if (start >= rows.length) return null
  const { cut: end, liveAsk } = findTailCut(rows, { ...options, start })
  // A cut at the very end means that the newest call and its results are all there is: they stay.
  return start < end && end < rows.length ? { start, end, liveAsk } : null
}

/** System and developer rows the list opens with: always kept. */
function leadingInstructions(rows: readonly Row[]): number {
  const first = rows.findIndex((row) => !isInstruction(row) && row.carried !== true)
  return first < 0 ? rows.length : first
}

function everythingFrom(rows: readonly Row[], instructions: number, head: number): Boundaries | null {
  const start = startOfRegion(rows, instructions, head)
  return start < rows.length ? { start, end: rows.length, liveAsk: null } : null
}

function findStart(rows: readonly Row[], instructions: number, head: number): number {
  const start = startOfRegion(rows, instructions, head)
  // The newest request is kept word for word; when it opens the region it can stand in no tail, so it joins the head (#22523).
  return rows.findLastIndex(isActionableUser) === start ? start + 1 : start
}

function startOfRegion(rows: readonly Row[], instructions: number, head: number): number {
  const opening = rows[instructions]
  // A head that does not open with a user would leave an answer as the first row: providers reject that (#52160).
  let start = opening !== undefined && roleOf(opening.message) === 'user' ? head : instructions
  while (isBoundAt(rows, start)) start += 1
  return start
}
