import type { Repair } from './repair.ts'
import { type Row, rewrite, roleOf } from './row.ts'
import { isRowPart, type RowPart } from './row-part.ts'

/** Halves of pairs that stand in the content of rows: calls a provider ran, and parts that nobody knows. */
interface Half {
  readonly row: number
  readonly part: RowPart
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
  const open = new Map<string, Half>()
  const pairs: { readonly from: number; readonly to: number }[] = []
  const lonely: Half[] = []
  rows.forEach(({ message }, row) => {
    if (!Array.isArray(message.content)) return
    for (const part of message.content as readonly unknown[]) {
      if (!isRowPart(part)) continue
      if (part.type === 'ran-call') {
        const older = open.get(part.id)
        if (older !== undefined) lonely.push(...required(older))
        open.set(part.id, { row, part })
      } else if (part.type === 'ran-result') {
        const call = open.get(part.id)
        open.delete(part.id)
        if (call === undefined) lonely.push(...(part.id === '' ? [] : [{ row, part }]))
        else if (call.row < row) pairs.push({ from: call.row, to: row })
      }
    }
  })
  // The newest answer may be paused: its call still waits.
  const last = rows.findLastIndex((row) => roleOf(row.message) === 'assistant')
  for (const half of open.values()) if (half.row !== last) lonely.push(...required(half))
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
  const gone = new Set(lonely.map(({ part }) => part))
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
