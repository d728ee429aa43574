import { isRecord } from '../domain/is-record.ts'
import { parseJson } from '../domain/parse-json.ts'

export interface NdjsonRows {
  readonly rows: readonly Readonly<Record<string, unknown>>[]
  /** How many lines were blank or no JSON object. */
  readonly warnings: readonly string[]
}

const countOf = (lines: number, kind: string): string =>
  lines === 0 ? '' : `${lines} ${kind} ${lines === 1 ? 'line' : 'lines'}`

/**
 * Objects of a session file as it lies on disk (docs/spec/contract.md §0). Malformed and blank lines are skipped and counted, as the agents
 * do: one line cut by a crash must not make a session unreadable. The end of the file is not a blank line.
 */
export function readNdjson(text: string): NdjsonRows {
  const rows: Readonly<Record<string, unknown>>[] = []
  let malformed = 0
  let blank = 0
  let from = text.startsWith('\ufeff') ? 1 : 0
  while (from < text.length) {
    const end = text.indexOf('\n', from)
    const line = text.slice(from, end < 0 ? text.length : end)
    from = end < 0 ? text.length : end + 1
    const row = parseJson(line)
    if (isRecord(row)) rows.push(row)
    else if (line.trim() === '') blank += 1
    else malformed += 1
  }
  const skipped = [countOf(malformed, 'malformed'), countOf(blank, 'blank')].filter((each) => each !== '')
  return { rows, warnings: skipped.length === 0 ? [] : [`skipped ${skipped.join(' and ')}`] }
}
