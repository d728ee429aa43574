import type { Row } from '../../dialects/row.ts'
import { sumTokens } from '../list-tokens.ts'
import { isActionableUser } from '../user-row.ts'
import type { Boundaries } from './boundaries.ts'

/** What came since may be this many times what the tail may be; more would fill the list. */
const TAIL_AT_MOST = 1.5

/** The boundaries of a prepared summary; null where it cannot be used as it is. */
export function preparedBoundaries(
  rows: readonly Row[],
  prepared: { readonly start: number; readonly end: number } | undefined,
  tailTokens: number,
): Boundaries | null {
  if (prepared === undefined) return null
  const start = rows.findIndex(({ index }) => index === prepared.start)
  const end = rows.findIndex(({ index }) => index === prepared.end)
  if (start < 0 || end <= start || sumTokens(rows.slice(end)) > TAIL_AT_MOST * tailTokens) return null
  const ask = rows.findLastIndex(isActionableUser)
  return { start, end, liveAsk: ask >= start && ask < end ? ask : null }
}
