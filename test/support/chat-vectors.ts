import { readFileSync } from 'node:fs'
import path from 'node:path'

const file = path.join(import.meta.dirname, '../fixtures/chat/vectors.json')
const all = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown[]>

/** Cases of one family of the hermes vectors. */
export function vectors<T>(id: string): T[] {
  const cases = all[id]
  if (cases === undefined) throw new Error(`no vectors named ${id}`)
  return cases as T[]
}
