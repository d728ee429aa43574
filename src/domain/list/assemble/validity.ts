import type { Codec } from '../../dialects/codec.ts'
import { pairsHold } from '../../dialects/pairs.ts'
import type { ParsedList } from '../../dialects/parse-messages.ts'
import type { Repair } from '../../dialects/repair.ts'
import { isInstruction, type Row, roleOf } from '../../dialects/row.ts'

/** Report on a list that is given out. */
export interface Validity {
  /** Every call has its result directly after it, every result its call, and none hides in a part that was not understood. */
  readonly pairs: boolean
  /** The order of roles is one the format's providers take. */
  readonly alternation: boolean
  /** What had to be repaired for that, by position in the caller's list. */
  readonly repaired: readonly Repair[]
}

/** Report on the rows of a list that is given out, or goes back untouched. */
export function checkValidity(
  rows: readonly Row[],
  { codec, unread }: Pick<ParsedList, 'codec' | 'unread'>,
  repaired: readonly Repair[],
): Validity {
  return { pairs: pairsHold(rows) && !unread.claimsCall, alternation: alternates(rows, codec), repaired }
}

/** The first turn is a user's; where neighbours are not merged by the provider either, no two answers follow each other. */
function alternates(rows: readonly Row[], codec: Codec): boolean {
  const turns = rows.filter((row) => !isInstruction(row) && row.carried !== true)
  const [first] = turns
  if (first === undefined || roleOf(first.message) !== 'user') return false
  // Chat and Responses endpoints take rows of one role in a row; Messages output has them merged already.
  return !codec.mergesAdjacent || turns.every((row) => ['user', 'assistant', 'tool'].includes(roleOf(row.message)))
}
