import { isRecord } from '../is-record.ts'
import type { RequestView } from './request-view.ts'

/** The rows without the last text of the user's: the part that holds it, or the row where it holds nothing else. */
export function withoutLast({ wire, rows, last }: RequestView): readonly unknown[] {
  if (last === null) return rows
  const row = rows[last.row]
  const member = wire === 'gemini' ? 'parts' : 'content'
  const parts = isRecord(row) ? row[member] : undefined
  if (last.part === null || !isRecord(row) || !Array.isArray(parts) || parts.length < 2) {
    return rows.toSpliced(last.row, 1)
  }
  return rows.with(last.row, { ...row, [member]: parts.toSpliced(last.part, 1) })
}
