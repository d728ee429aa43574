import { isRecord } from '../../is-record.ts'
import { type Codec, type Fit, type Loose, partsOfContent } from '../codec.ts'
import type { RepairedRows } from '../repair.ts'
import { type Row, rewrite } from '../row.ts'
import { isItemType, kindOf, type ResponsesItem, type ResponsesSource } from './items.ts'
import { isOwnPart, knowsResponsesPart } from './parts.ts'
import { readItems } from './read.ts'
import { writeItems } from './write.ts'

/** Responses items: the items of one answer (reasoning, text, calls) are one row, so that no cut parts them (docs/bug-log.md B120). */
export const responsesCodec: Codec<ResponsesSource> = {
  mergesAdjacent: false,
  fit,
  blocksOf: ({ content }) => partsOfContent(content),
  knows: knowsResponsesPart,
  read: readItems,
  repair: dropOrphanReasoning,
  write: writeItems,
}

const ROLES: ReadonlySet<unknown> = new Set(['user', 'assistant', 'system', 'developer'])
/** Fields by which an unknown type is told from a row of something else. */
const FOREIGN = ['data', 'lc', 'kwargs', 'parts', 'message', 'payload', 'tool_calls'] as const

function fit(message: Loose): Fit {
  const { type, role, content } = message
  if (role !== undefined) {
    if (!ROLES.has(role) || (type !== undefined && type !== 'message') || message['tool_calls'] !== undefined)
      return 'no'
    if (message['parts'] !== undefined) return 'no'
    if (Array.isArray(content) && content.some(isOwnPart)) return 'own'
    return type === 'message' && !Array.isArray(content) ? 'own' : 'may'
  }
  if (typeof type !== 'string') return 'no'
  if (type !== 'message' && isItemType(type)) return 'own'
  // An item of a type of tomorrow is carried along where the list is known to be of Responses items.
  const isOther = content !== undefined && content !== null
  return isOther || FOREIGN.some((field) => message[field] !== undefined) ? 'no' : 'weak'
}

/** Reasoning that nothing of its answer follows is refused by the API (docs/bug-log.md B120). */
function dropOrphanReasoning(rows: readonly Row<ResponsesSource>[]): RepairedRows<ResponsesSource> {
  const repaired: RepairedRows['repaired'][number][] = []
  const out = rows.flatMap((row) => {
    const items = row.source?.items
    const last = items?.at(-1)
    if (row.source === undefined || items === undefined || last === undefined || kindOf(last) !== 'reasoning')
      return [row]
    repaired.push({ index: row.index, what: 'orphan-reasoning-removed' })
    const end = items.findLastIndex((item) => kindOf(item) !== 'reasoning') + 1
    if (end === 0) return []
    const gone: ReadonlySet<unknown> = new Set<ResponsesItem>(items.slice(end))
    const content: readonly unknown[] = Array.isArray(row.message.content) ? row.message.content : []
    const left = content.filter((part) => !isRecord(part) || !gone.has(part['from']))
    return [{ ...rewrite(row, { content: left }), source: { ...row.source, items: items.slice(0, end) } }]
  })
  return repaired.length === 0 ? { rows, repaired } : { rows: out, repaired }
}
