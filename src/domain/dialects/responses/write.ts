import { matchCalls, rewrittenArguments } from '../match-calls.ts'
import { isBlank, isObject, partText, type Row, roleOf } from '../row.ts'
import { type Item, kindOf, type ResponsesSource, withArguments } from './items.ts'

/** Rows back to Responses items: untouched ones as they came. */
export function writeResponses(rows: readonly Row[]): unknown[] {
  return rows.flatMap((row): readonly unknown[] => {
    const source = row.source as ResponsesSource | undefined
    if (source === undefined) return [messageItem(roleOf(row.message), row.message.content)]
    if (row.message === row.original) return source.items
    const [item] = source.items
    if (source.items.length === 1 && item !== undefined && kindOf(item) === 'result') {
      return [{ ...item, output: nativeParts(row.message.content, 'input_text') }]
    }
    if (roleOf(row.message) === 'assistant') return answerItems(row, source)
    return [{ ...row.message, content: nativeParts(row.message.content, 'input_text') }]
  })
}

/** The items of an answer that are left, in order; reasoning goes with the item that followed it. */
function answerItems(row: Row, source: ResponsesSource): unknown[] {
  const calls = callsNow(row, source)
  const sameText = row.message.content === row.original.content
  const out: unknown[] = []
  // Where the reasoning began that waits for the item it belongs to.
  let waiting = 0
  let textWritten = sameText
  for (const item of source.items) {
    const kind = kindOf(item)
    if (kind === 'reasoning') {
      out.push(item)
      continue
    }
    const now =
      kind === 'call' ? calls.get(item) : kind === 'message' && !sameText ? rewrittenText(row, item, textWritten) : item
    if (kind === 'message') textWritten = true
    if (now === undefined) out.length = waiting
    else waiting = out.push(now)
  }
  out.length = waiting
  if (!textWritten && !isBlank(row.message.content)) out.push(messageItem('assistant', row.message.content))
  return out
}

/** All the text of a rewritten answer goes into its first message item. */
function rewrittenText(row: Row, item: Item, written: boolean): unknown {
  if (written || isBlank(row.message.content)) return undefined
  return { ...item, content: nativeParts(row.message.content, 'output_text') }
}

function callsNow(row: Row, source: ResponsesSource): Map<Item, Item> {
  const before: readonly unknown[] = Array.isArray(row.original.tool_calls) ? row.original.tool_calls : []
  const now = new Map<Item, Item>()
  matchCalls(row).forEach((call, at) => {
    const item = source.calls[at]
    if (call === undefined || item === undefined) return
    const args = rewrittenArguments(before[at], call)
    now.set(item, args === null ? item : withArguments(item, args))
  })
  return now
}

function messageItem(role: string, content: unknown): Item {
  const type = role === 'assistant' ? 'output_text' : 'input_text'
  return {
    type: 'message',
    role,
    content: typeof content === 'string' ? [{ type, text: content }] : nativeParts(content, type),
  }
}

/** Texts we wrote get the part type of their side; the caller's own parts pass as they are. */
function nativeParts(content: unknown, type: 'input_text' | 'output_text'): unknown {
  if (!Array.isArray(content)) return content
  return content.map((part: unknown) => {
    const text = isObject(part) && part['type'] === 'text' ? partText(part) : null
    return text === null ? part : { type, text }
  })
}
