import { createHash, type Hash } from 'node:crypto'
import { z } from 'zod'
import { parseJson } from '../../domain/parse-json.ts'
import { createSealer } from '../../models/stores/sealer.ts'

/** What a pipeline may put aside for a later request; gone after a while, and when there is no room. Never throws. */
export interface Shelf {
  get(name: string): Promise<string | undefined>
  set(name: string, value: string, ttlMs: number): Promise<void>
}

/** Rows of a session's path or of a list as they came, and everything else that a summary of them depends on. */
export interface SummarizedRegion {
  readonly rows: readonly unknown[]
  readonly variant: string
}

/** A summary that was made before it was needed (docs/spec/production.md §3). */
const shape = z.object({
  /** How many rows from the first one it covers. */
  count: z.int().positive(),
  /** Lists: the first row that it replaces. */
  start: z.int().nonnegative(),
  /** Sessions: how many rows come before the turn that the cut splits; null: it splits none. */
  turnStart: z.int().nonnegative().nullable(),
  history: z.string().optional(),
  prefix: z.string().optional(),
  short: z.string().optional(),
  degraded: z.boolean(),
  /** Hash of what a hook added; where a hook adds something else now, the summary does not fit. */
  hooked: z.string(),
})
export type Prepared = z.output<typeof shape>

const index = z.array(z.object({ count: z.int().positive(), name: z.string() }))

/** Sessions that begin alike (forks, retries) share an index; only the newest preparations are looked at. */
const MOST_PREPARED = 8

/**
 * Keeps a summary under the hash of the rows it covers, sealed with that hash: only whoever has the session can read it. False:
 * there is no room for it.
 */
export async function keepPrepared(
  shelf: Shelf,
  region: SummarizedRegion,
  { prepared, ttlMs }: { readonly prepared: Prepared; readonly ttlMs: number },
): Promise<boolean> {
  const { name, secret } = namesOf(region, hashOfRows(region.rows.slice(0, prepared.count)))
  const sealed = createSealer([secret]).seal(JSON.stringify(prepared), name)
  await shelf.set(name, sealed.toString('base64'), ttlMs)
  const place = indexOf(region)
  const known = await readIndex(shelf, place)
  const others = known.filter((row) => row.name !== name)
  const rows = [{ count: prepared.count, name }, ...others].slice(0, MOST_PREPARED)
  await shelf.set(place, JSON.stringify(rows), ttlMs)
  return (await shelf.get(name)) !== undefined
}

/** The summary that covers most of what the region begins with, byte for byte; undefined: none fits. */
export async function findPrepared(shelf: Shelf, region: SummarizedRegion): Promise<Prepared | undefined> {
  if (region.rows.length === 0) return undefined
  const known = await readIndex(shelf, indexOf(region))
  const fitting = known.filter(({ count }) => count < region.rows.length).sort((one, other) => one.count - other.count)
  let found: { readonly name: string; readonly secret: string } | undefined
  const hash = createHash('sha256')
  let hashed = 0
  for (const { count, name } of fitting) {
    for (; hashed < count; hashed += 1) addRow(hash, region.rows[hashed])
    const names = namesOf(region, hash.copy().digest('hex'))
    if (names.name === name) found = names
  }
  return found === undefined ? undefined : opened(await shelf.get(found.name), found)
}

function opened(
  value: string | undefined,
  { name, secret }: { readonly name: string; readonly secret: string },
): Prepared | undefined {
  if (value === undefined) return undefined
  const plain = createSealer([secret]).open(Buffer.from(value, 'base64'), name)
  return plain === undefined ? undefined : shape.safeParse(JSON.parse(plain.toString('utf8'))).data
}

async function readIndex(shelf: Shelf, place: string): Promise<z.output<typeof index>> {
  const text = await shelf.get(place)
  return text === undefined ? [] : (index.safeParse(parseJson(text)).data ?? [])
}

const indexOf = (region: SummarizedRegion): string =>
  `ahead:index:${sha256('index', region.variant, hashOfRows(region.rows.slice(0, 1)))}`

const namesOf = (region: SummarizedRegion, rowsHash: string) => ({
  name: `ahead:${sha256('name', region.variant, rowsHash)}`,
  secret: sha256('secret', region.variant, rowsHash),
})

function hashOfRows(rows: readonly unknown[]): string {
  const hash = createHash('sha256')
  for (const row of rows) addRow(hash, row)
  return hash.digest('hex')
}

const addRow = (hash: Hash, row: unknown): void => void hash.update(JSON.stringify(row) ?? '').update('\n')

/** Hash of several texts; it also depends on where one ends and the next begins. */
export const sha256 = (...texts: readonly string[]): string =>
  createHash('sha256').update(JSON.stringify(texts)).digest('base64url')
