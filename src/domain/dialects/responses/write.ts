import { isRecord } from '../../is-record.ts'
import { callsNow } from '../calls-now.ts'
import { isBlank, type Row, roleOf } from '../row.ts'
import { isRowPart, partBack } from '../row-part.ts'
import { kindOf, outputField, type ResponsesItem, type ResponsesSource, typeOf, withArguments } from './items.ts'

type TextType = 'input_text' | 'output_text'

/** Rows back to Responses items: untouched ones as they came. */
export function writeItems(rows: readonly Row<ResponsesSource>[]): ResponsesItem[] {
  return rows.flatMap((row): readonly ResponsesItem[] => {
    const { source, message } = row
    if (source === undefined) return [messageItem(roleOf(message), message.content)]
    if (message === row.original) return source.items
    const [item] = source.items
    if (source.items.length === 1 && item !== undefined && kindOf(item) === 'result') return [resultItem(row, item)]
    if (roleOf(message) === 'assistant') return answerItems(row, source)
    return [{ ...message, content: nativeContent(message.content, 'input_text') }]
  })
}

function resultItem(row: Row<ResponsesSource>, item: ResponsesItem): ResponsesItem {
  const field = outputField(item)
  if (field === null || row.message.content === row.original.content) return item
  const content = nativeContent(row.message.content, 'input_text')
  if (typeOf(item) !== 'shell_call_output') return { ...item, [field]: content }
  const before: readonly unknown[] = Array.isArray(item[field]) ? item[field] : []
  const first = before.find(isRecord)
  return { ...item, [field]: [{ ...first, stdout: String(content), stderr: '' }] }
}

/** The items of an answer that are left, in order; reasoning goes with the item that followed it. */
function answerItems(row: Row<ResponsesSource>, source: ResponsesSource): ResponsesItem[] {
  const calls = new Map<ResponsesItem, ResponsesItem | undefined>()
  callsNow(row, source.calls, withArguments).forEach((call, at) => {
    const item = source.calls[at]
    if (item !== undefined) calls.set(item, call)
  })
  const parts: readonly unknown[] = Array.isArray(row.message.content) ? row.message.content : [row.message.content]
  const left = new Map(parts.map((part) => [isRowPart(part) ? part.from : undefined, part]))
  const out: ResponsesItem[] = []
  // Where the reasoning began that waits for the item it belongs to.
  let waiting = 0
  for (const item of source.items) {
    const kind = kindOf(item)
    if (kind === 'reasoning') {
      out.push(item)
      continue
    }
    const now =
      kind === 'call'
        ? calls.get(item)
        : kind === 'message'
          ? messageNow(item, left)
          : left.has(item)
            ? item
            : undefined
    if (now === undefined) out.length = waiting
    else waiting = out.push(now)
  }
  out.length = waiting
  const ours = parts.filter((part) => !isRowPart(part) || part.from === undefined)
  if (!isBlank(ours)) out.push(messageItem('assistant', ours))
  return out
}

/** A message item with the parts that are left of it. */
function messageNow(item: ResponsesItem, left: ReadonlyMap<unknown, unknown>): ResponsesItem | undefined {
  const { content } = item
  const native = (text: string): unknown => ({ type: 'output_text', text })
  if (!Array.isArray(content)) {
    const part = left.get(item)
    if (!isRowPart(part) || part.type !== 'text') return undefined
    return part.isEdited === true ? { ...item, content: [native(part.text)] } : item
  }
  const parts = content.flatMap((part: unknown) => {
    const now = left.get(part)
    return now === undefined ? [] : [partBack(now, native)]
  })
  if (parts.length === 0) return undefined
  const isSame = parts.length === content.length && parts.every((part, at) => part === content[at])
  return isSame ? item : { ...item, content: parts }
}

function messageItem(role: string, content: unknown): ResponsesItem {
  const type: TextType = role === 'assistant' ? 'output_text' : 'input_text'
  const parts = typeof content === 'string' ? [{ type, text: content }] : nativeContent(content, type)
  return { type: 'message', role, content: parts }
}

/** Texts we wrote get the part type of their side; the caller's own parts pass as they are. */
function nativeContent(content: unknown, type: TextType): unknown {
  if (!Array.isArray(content)) return content
  return content.flatMap((part: unknown) => partBack(part, (text) => ({ type, text })) ?? [])
}
