import { isJson } from '../domain/is-json.ts'
import { isRecord } from '../domain/is-record.ts'
import { parseJson } from '../domain/parse-json.ts'

export interface NdjsonRows {
  readonly rows: readonly Readonly<Record<string, unknown>>[]
  /** How many lines were blank or no JSON object. */
  readonly warnings: readonly string[]
}

/** Parses lines; from the first malformed one on it looks before it parses, since each exception has its price. */
function lineParser(): (line: string) => unknown {
  let isDamaged = false
  return (line) => {
    if (isDamaged && !isJson(line)) return undefined
    const row = parseJson(line)
    isDamaged ||= row === undefined
    return row
  }
}

/** The first character of most lines shows that they are not. */
const isBlank = (line: string): boolean => line[0] !== '{' && line.trim() === ''

const countOf = (lines: number, kind: string): string =>
  lines === 0 ? '' : `${lines} ${kind} ${lines === 1 ? 'line' : 'lines'}`

/**
 * Objects of a session file as it lies on disk (docs/spec/contract.md §0). Malformed and blank lines are skipped and counted, as the agents
 * do: one line cut by a crash must not make a session unreadable. The end of the file is not a blank line.
 */
export function readNdjson(text: string): NdjsonRows {
  const rows: Readonly<Record<string, unknown>>[] = []
  const parse = lineParser()
  let malformed = 0
  let blank = 0
  let from = text.startsWith('\ufeff') ? 1 : 0
  while (from < text.length) {
    const end = text.indexOf('\n', from)
    const line = text.slice(from, end < 0 ? text.length : end)
    from = end < 0 ? text.length : end + 1
    if (isBlank(line)) {
      blank += 1
      continue
    }
    const row = parse(line)
    if (isRecord(row)) rows.push(row)
    else malformed += 1
  }
  const skipped = [countOf(malformed, 'malformed'), countOf(blank, 'blank')].filter((each) => each !== '')
  return { rows, warnings: skipped.length === 0 ? [] : [`skipped ${skipped.join(' and ')}`] }
}
