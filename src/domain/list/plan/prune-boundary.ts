import { isBoundAt, type Row } from '../../dialects/row.ts'
import { chatMessageTokens } from '../../tokens/chat-tokens.ts'

const FLOOR_ROWS = 8

/** What of a list pruning leaves alone. */
export interface ProtectedRows {
  readonly tailTokens: number
  /** First position that is protected whatever `tailTokens` says; absent: that alone decides. */
  readonly protectFrom?: number | undefined
  /** Rows at the end that are kept whatever they weigh; counted up to 8. */
  readonly protectLast: number
}

/** First protected position. The floor is applied to the COUNT of rows: on indexes it would be turned around. */
export function pruneBoundary(rows: readonly Row[], options: ProtectedRows): number {
  const floor = Math.min(options.protectLast, rows.length, FLOOR_ROWS)
  let tokens = 0
  let boundary = rows.length
  for (let at = rows.length - 1; at >= 0; at -= 1) {
    const row = rows[at]
    const weight = row === undefined ? 0 : chatMessageTokens(row.message)
    boundary = at
    if (tokens + weight > options.tailTokens && rows.length - at >= floor) break
    tokens += weight
  }
  const protectedFrom = Math.min(boundary, rows.length - floor, options.protectFrom ?? rows.length)
  return groupStart(rows, protectedFrom)
}

/** Results of one answer are cut all or none. */
function groupStart(rows: readonly Row[], at: number): number {
  let start = at
  while (start > 0 && isBoundAt(rows, start)) start -= 1
  return start
}
