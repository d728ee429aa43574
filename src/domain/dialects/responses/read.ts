import { isRecord } from '../../is-record.ts'
import { parseJson } from '../../parse-json.ts'
import type { ChatMessage } from '../../tokens/chat-tokens.ts'
import { wireQuarters } from '../../tokens/quarters.ts'
import { chatCall } from '../calls-now.ts'
import { readableText } from '../readable-text.ts'
import { jsonText, type Row } from '../row.ts'
import type { RowPart } from '../row-part.ts'
import {
  inputOf,
  isAnswerItem,
  itemCallId,
  kindOf,
  outputField,
  type ResponsesItem,
  type ResponsesSource,
  toolOf,
  typeOf,
} from './items.ts'
import { contentOf } from './parts.ts'
import { opaqueItem, ranParts, toolNames } from './ran.ts'

/** Items of one answer while they are being read. */
interface OpenAnswer {
  readonly items: ResponsesItem[]
  hasCall: boolean
  hasText: boolean
}

export function readItems(messages: readonly ResponsesItem[]): Row<ResponsesSource>[] {
  const rows: Row<ResponsesSource>[] = []
  let answer: OpenAnswer = { items: [], hasCall: false, hasText: false }
  const close = (end: number): void => {
    if (answer.items.length > 0) rows.push(answerRow(answer.items, end - answer.items.length))
    answer = { items: [], hasCall: false, hasText: false }
  }
  messages.forEach((item, index) => {
    if (!isAnswerItem(item)) {
      close(index)
      rows.push(singleRow(item, index))
      return
    }
    const kind = kindOf(item)
    // A call joins what came before it; anything else begins a new answer once there is a text and no open call.
    if (kind !== 'call' && !answer.hasCall && answer.hasText) close(index)
    answer.items.push(item)
    if (kind === 'call') answer.hasCall = true
    else if (kind === 'message') answer.hasText = true
  })
  close(messages.length)
  return rows
}

function answerRow(items: readonly ResponsesItem[], index: number): Row<ResponsesSource> {
  const calls = items.filter((item) => kindOf(item) === 'call')
  const content = items.flatMap((item, at) => answerParts(item, index + at))
  const chatCalls = calls.map((item) => chatCall(itemCallId(item), toolOf(item), inputOf(item)))
  const message: ChatMessage = { role: 'assistant', content, tool_calls: calls.length === 0 ? undefined : chatCalls }
  return { index, span: items.length, message, original: message, source: { items, calls } }
}

function answerParts(item: ResponsesItem, index: number): readonly RowPart[] {
  switch (kindOf(item)) {
    case 'message':
      return messageParts(item)
    case 'reasoning':
      return [{ type: 'thinking', text: readableText(item['summary']), quarters: wireQuarters(item), from: item }]
    case 'ran':
      return ranParts(item, typeof item['id'] === 'string' ? item['id'] : `item-${index}`)
    case 'opaque':
      return [opaqueItem(item)]
    default:
      return []
  }
}

function messageParts(item: ResponsesItem): readonly RowPart[] {
  const content = contentOf(item['content'])
  if (typeof content !== 'string') return content
  return content === '' ? [] : [{ type: 'text', text: content, from: item }]
}

function singleRow(item: ResponsesItem, index: number): Row<ResponsesSource> {
  const source: ResponsesSource = { items: [item], calls: [] }
  const kind = kindOf(item)
  if (kind === 'message') {
    const { content } = item
    const message = Array.isArray(content) ? { ...item, content: contentOf(content) } : item
    return { index, message, original: message, source }
  }
  if (kind === 'compaction' || kind === 'note') return sealedRow(item, index, source)
  const text =
    shellText(item) ??
    commandText(item['output']) ??
    (item['tools'] === undefined ? contentOf(item['output'] ?? item['reason'] ?? '') : toolNames(item['tools']))
  const message: ChatMessage = {
    role: 'tool',
    tool_call_id: itemCallId(item),
    content: text,
    is_error: isFailed(item) || undefined,
  }
  return { index, message, original: message, source, isFixed: outputField(item) === null }
}

/** Encrypted: nobody but the provider can read it, so it is kept instead of summarized. One without content failed (B046). */
function sealedRow(item: ResponsesItem, index: number, source: ResponsesSource): Row<ResponsesSource> {
  const isSealed = typeof item['encrypted_content'] === 'string'
  const part: RowPart = isSealed ? opaqueItem(item) : { type: 'note', quarters: wireQuarters(item), from: item }
  const message: ChatMessage = { role: '', content: [part] }
  return { index, message, original: message, source, carried: isSealed }
}

/** What a shell call's commands wrote, with the exit code of each that failed. */
function shellText(item: ResponsesItem): string | null {
  const { output } = item
  if (typeOf(item) !== 'shell_call_output' || !Array.isArray(output)) return null
  return output
    .map((each: unknown) => {
      if (!isRecord(each)) return jsonText(each)
      const outcome = isRecord(each['outcome']) ? each['outcome'] : {}
      const code = outcome['exit_code'] ?? outcome['exitCode']
      const failed =
        outcome['type'] === 'timeout' ? 'Timed out' : typeof code === 'number' && code !== 0 ? `Exit code: ${code}` : ''
      return [failed, each['stdout'], each['stderr']]
        .filter((text) => typeof text === 'string' && text !== '')
        .join('\n')
    })
    .join('\n')
}

/** Codex wraps what a command wrote, and how it ended, in JSON text. */
function commandText(output: unknown): string | null {
  if (typeof output !== 'string' || !output.startsWith('{"output":')) return null
  const held = parseJson(output)
  if (!isRecord(held) || typeof held['output'] !== 'string' || !isRecord(held['metadata'])) return null
  const code = held['metadata']['exit_code']
  return typeof code === 'number' ? `Exit code: ${code}\nOutput:\n${held['output']}` : held['output']
}

/** Failed operations and refused approvals; how a command ended is read from its output. */
function isFailed(item: ResponsesItem): boolean {
  return (typeOf(item) === 'apply_patch_call_output' && item['status'] === 'failed') || item['approve'] === false
}
