import { isRecord } from '../domain/session/content.ts'

export interface NdjsonRows {
  readonly rows: readonly unknown[]
  /** Lines that were blank or no JSON object. */
  readonly skipped: number
  readonly warnings: readonly string[]
}

function rowOf(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

/**
 * Objects of a session file as it lies on disk (http-api §0). Malformed and blank lines are skipped and counted, as the agents
 * do: one line cut by a crash must not make a session unreadable. The end of the file is not a blank line.
 */
export function readNdjson(text: string): NdjsonRows {
  const rows: unknown[] = []
  let skipped = 0
  let from = text.startsWith('\ufeff') ? 1 : 0
  while (from < text.length) {
    const end = text.indexOf('\n', from)
    const line = text.slice(from, end < 0 ? text.length : end)
    from = end < 0 ? text.length : end + 1
    const row = rowOf(line)
    if (isRecord(row)) rows.push(row)
    else skipped += 1
  }
  const warnings =
    skipped === 0 ? [] : [`${skipped} malformed or blank ${skipped === 1 ? 'line was' : 'lines were'} skipped`]
  return { rows, skipped, warnings }
}
