import { type PairEvent, pairCalls } from '../conversation/pair-calls.ts'
import type { Repair } from './repair.ts'
import { type Row, rewrite, roleOf } from './row.ts'
import { isRowPart, type RanCallPart, type RanResultPart, type RowPart } from './row-part.ts'

/** Half of a pair that stands in the content of a row: a call that a provider ran, or its result. */
interface Half extends PairEvent {
  readonly part: RanCallPart | RanResultPart
}

/**
 * Rows between a provider-run call and its result in a later row are bound together: a paused turn goes on in the next row
 * (docs/spec/reading.md §3). The same rows come back where there is nothing to bind.
 */
export function bindRanPairs<Source>(rows: readonly Row<Source>[]): readonly Row<Source>[] {
  const { pairs } = matchRan(rows)
  const bound = new Set<number>()
  for (const { from, to } of pairs) for (let at = from + 1; at <= to; at += 1) bound.add(at)
  return bound.size === 0 ? rows : rows.map((row, at) => (bound.has(at) ? { ...row, isBound: true } : row))
}

interface RanMatch {
  /** Rows of call and result, where they differ. */
  readonly pairs: readonly { readonly from: number; readonly to: number }[]
  /** Parts that the provider would refuse: a result without its call, a call whose result is missing. */
  readonly lonely: readonly Half[]
}

function matchRan(rows: readonly Row[]): RanMatch {
  const halves: Half[] = []
  rows.forEach(({ message }, row) => {
    const parts: readonly unknown[] = Array.isArray(message.content) ? message.content : []
    for (const part of parts) {
      if (!isRowPart(part) || (part.type !== 'ran-call' && part.type !== 'ran-result')) continue
      halves.push({ kind: part.type === 'ran-call' ? 'call' : 'result', id: part.id, row, part })
    }
  })
  const { callOf, resultOf } = pairCalls(halves)
  const pairs: { readonly from: number; readonly to: number }[] = []
  const lonely: Half[] = []
  // The newest answer may be paused: its call still waits.
  const last = rows.findLastIndex((row) => roleOf(row.message) === 'assistant')
  halves.forEach((half, at) => {
    if (half.kind === 'call') {
      if ((resultOf[at] ?? -1) < 0 && half.row !== last) lonely.push(...required(half))
      return
    }
    const call = halves[callOf[at] ?? -1]
    if (call === undefined) lonely.push(...(half.id === '' ? [] : [half]))
    else if (call.row < half.row) pairs.push({ from: call.row, to: half.row })
  })
  return { pairs, lonely }
}

const required = (half: Half): readonly Half[] => (half.part.type === 'ran-call' && half.part.needsResult ? [half] : [])

export const ranPairsHold = (rows: readonly Row[]): boolean => matchRan(rows).lonely.length === 0

/** Takes the halves off that the provider would refuse. */
export function dropLonelyRan<Source>(rows: readonly Row<Source>[]): {
  readonly rows: readonly Row<Source>[]
  readonly repaired: readonly Repair[]
} {
  const { lonely } = matchRan(rows)
  if (lonely.length === 0) return { rows, repaired: [] }
  const gone = new Set<RowPart>(lonely.map(({ part }) => part))
  const hit = new Set(lonely.map(({ row }) => row))
  return {
    rows: rows.map((row, at) => {
      const { content } = row.message
      if (!hit.has(at) || !Array.isArray(content)) return row
      return rewrite(row, { content: content.filter((part: RowPart) => !gone.has(part)) })
    }),
    repaired: lonely.map(({ row, part }) => ({
      index: rows[row]?.index ?? 0,
      what: part.type === 'ran-call' ? 'call-without-result-removed' : 'orphan-result-removed',
    })),
  }
}
