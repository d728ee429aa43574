import type { ChatMessage } from '../../tokens/chat-tokens.ts'
import type { ListCodec } from '../codec.ts'
import type { RepairedRows } from '../pairs.ts'
import { type Row, rewrite } from '../row.ts'
import { chatCall, type Item, isAnswerItem, kindOf, type ResponsesSource } from './items.ts'
import { writeResponses } from './write.ts'

/** Responses items: the items of one answer (reasoning, text, calls) are one row, so that no cut parts them (bug-log B120). */
export const responsesCodec: ListCodec = {
  mergesAdjacent: false,
  toRows,
  repair: dropOrphanReasoning,
  fromRows: writeResponses,
}

/** Items of one answer while they are being read. */
interface OpenAnswer {
  readonly items: Item[]
  hasCall: boolean
  hasOther: boolean
}

function toRows(messages: readonly unknown[]): Row[] {
  const rows: Row[] = []
  let answer: OpenAnswer = { items: [], hasCall: false, hasOther: false }
  const close = (end: number): void => {
    if (answer.items.length > 0) rows.push(answerRow(answer.items, end - answer.items.length))
    answer = { items: [], hasCall: false, hasOther: false }
  }
  messages.forEach((value, index) => {
    const item = value as Item
    if (!isAnswerItem(item)) {
      close(index)
      rows.push(singleRow(item, index))
      return
    }
    const kind = kindOf(item)
    // A call joins what came before it; anything else begins a new answer once there is a text and no open call.
    if (kind !== 'call' && !answer.hasCall && answer.hasOther) close(index)
    answer.items.push(item)
    if (kind === 'call') answer.hasCall = true
    else if (kind !== 'reasoning') answer.hasOther = true
  })
  close(messages.length)
  return rows
}

function answerRow(items: readonly Item[], index: number): Row {
  const texts = items.filter((item) => kindOf(item) === 'message')
  const calls = items.filter((item) => kindOf(item) === 'call')
  const reasoning = items.filter((item) => kindOf(item) === 'reasoning')
  const opaque = items.filter((item) => kindOf(item) === 'opaque')
  const only = texts[0]
  const message: ChatMessage = {
    role: 'assistant',
    content:
      texts.length === 1 && only !== undefined ? only['content'] : texts.flatMap((item) => partsOf(item['content'])),
    ...(calls.length === 0 ? {} : { tool_calls: calls.map(chatCall) }),
    ...(reasoning.length === 0 ? {} : { codex_reasoning_items: reasoning }),
    ...(opaque.length === 0 ? {} : { codex_message_items: opaque }),
  }
  return { index, span: items.length, message, original: message, source: { items, calls } satisfies ResponsesSource }
}

function singleRow(item: Item, index: number): Row {
  const source: ResponsesSource = { items: [item], calls: [] }
  const kind = kindOf(item)
  if (kind === 'message') return { index, message: item, original: item, source }
  if (kind === 'compaction') {
    // Encrypted: nobody but the provider can read it, so it is kept instead of summarised. Null content says that it failed (B046).
    const message: ChatMessage = { role: '', codex_message_items: [item] }
    const carried = typeof item['encrypted_content'] === 'string'
    return { index, message, original: message, source, ...(carried ? { carried } : {}) }
  }
  const message: ChatMessage = {
    role: 'tool',
    tool_call_id: item['call_id'],
    content: item['output'] ?? item['tools'] ?? '',
  }
  return { index, message, original: message, source }
}

function partsOf(content: unknown): unknown[] {
  if (Array.isArray(content)) return content
  return typeof content === 'string' && content !== '' ? [{ type: 'output_text', text: content }] : []
}

/** Reasoning that nothing of its answer follows is refused by the API (bug-log B120). */
function dropOrphanReasoning(rows: readonly Row[]): RepairedRows {
  const repaired: RepairedRows['repaired'][number][] = []
  const out = rows.flatMap((row) => {
    const source = row.source as ResponsesSource | undefined
    const last = source?.items.at(-1)
    if (source === undefined || last === undefined || kindOf(last) !== 'reasoning') return [row]
    repaired.push({ index: row.index, what: 'orphan-reasoning-removed' })
    const end = source.items.findLastIndex((item) => kindOf(item) !== 'reasoning') + 1
    if (end === 0) return []
    const items = source.items.slice(0, end)
    const left = items.filter((item) => kindOf(item) === 'reasoning')
    return [{ ...rewrite(row, { codex_reasoning_items: left }), source: { ...source, items } }]
  })
  return repaired.length === 0 ? { rows, repaired } : { rows: out, repaired }
}
