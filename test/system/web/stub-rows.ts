export type Row = Record<string, unknown>

export interface Work {
  readonly path: string
  readonly query: Row
  readonly headers: Row
  readonly text: string
}

/** Entries or messages of a stubbed request, in either media type. */
export function rowsOf({ text, headers }: Work): Row[] {
  if (headers['content-type'] === 'application/x-ndjson') {
    return text
      .split('\n')
      .filter((line) => line.trim() !== '')
      .map((line) => JSON.parse(line) as Row)
  }
  const body = JSON.parse(text) as { entries?: Row[]; messages?: Row[] }
  return body.entries ?? body.messages ?? []
}

/** Ids from the leaf to the root, as a real service would walk them. */
function pathIds(rows: readonly Row[]): Set<unknown> {
  const byId = new Map(rows.map((row) => [row['id'], row]))
  const ids = new Set<unknown>()
  for (let at = rows.at(-1); at !== undefined; at = byId.get(at['parentId'])) ids.add(at['id'])
  return ids
}

export interface CoverageRow {
  readonly id: string
  readonly fate: string
  readonly tokens: number
}

const isResult = (row: Row | undefined) => (row?.['message'] as Row | undefined)?.['role'] === 'toolResult'
const isUser = (row: Row | undefined) => (row?.['message'] as Row | undefined)?.['role'] === 'user'

/**
 * A believable coverage: the newest four rows of the path kept, the turn they belong to as prefix, the biggest tool result
 * pruned, other branches ignored. Tokens are a quarter of the row's length, so the pictures have true proportions.
 */
export function coverageOf(rows: readonly Row[]): readonly CoverageRow[] {
  const onPath = pathIds(rows)
  const path = rows.filter((row) => onPath.has(row['id']) && row['type'] !== 'session')
  const cut = Math.max(0, path.length - 4)
  const turn = path.slice(0, cut).findLastIndex(isUser)
  const biggest = path.filter(isResult).sort((a, b) => JSON.stringify(b).length - JSON.stringify(a).length)[0]
  return rows.map((row) => {
    const at = path.indexOf(row)
    const tokens = row['type'] === 'message' ? Math.ceil(JSON.stringify(row['message']).length / 4) : 0
    return { id: String(row['id']), fate: fateOf(row, at, { cut, turn, biggest }), tokens }
  })
}

function fateOf(row: Row, at: number, places: { cut: number; turn: number; biggest: Row | undefined }): string {
  if (at < 0) return 'ignored'
  if (row === places.biggest) return 'pruned'
  if (at >= places.cut) return 'kept'
  return places.turn >= 0 && at >= places.turn ? 'turn-prefix' : 'summarized'
}
