import { isRecord } from '../../is-record.ts'
import type { ChatMessage } from '../../tokens/chat-tokens.ts'
import { partsOnly } from '../blocks/block-view.ts'
import { callsNow } from '../calls-now.ts'
import { type Codec, type Fit, type Loose, noRepair, partsOfContent } from '../codec.ts'
import type { Row } from '../row.ts'
import { isRowPart, partBack } from '../row-part.ts'
import { knowsOpenaiPart, viewOfOpenaiPart } from './parts.ts'

/** The caller's message, where the row shows it in another way than it came. */
interface OpenAiSource {
  readonly message: Loose
  readonly calls: readonly unknown[]
}

/** `exit` is the row that mini-swe-agent ends a run with. */
const ROLES: ReadonlySet<unknown> = new Set(['system', 'developer', 'user', 'assistant', 'tool', 'function', 'exit'])

/** Chat completions messages are the shape the compressor thinks in: only lists of parts and custom calls are shown anew. */
export const openaiCodec: Codec<OpenAiSource> = {
  mergesAdjacent: false,
  fit,
  blocksOf: ({ role, content }) => (role === 'tool' && isSummed(content) ? [] : partsOfContent(content)),
  knows: knowsOpenaiPart,
  read: (messages) => messages.map(readRow),
  repair: noRepair,
  write: (rows) => rows.map(writeRow),
}

/** A result of many media that Hermes keeps with a summary in words. */
const isSummed = (content: unknown): boolean => isRecord(content) && typeof content['text_summary'] === 'string'

function fit(message: Loose): Fit {
  const { role, type, tool_calls: calls, content } = message
  if (!ROLES.has(role) || (type !== undefined && type !== 'message') || message['parts'] !== undefined) return 'no'
  if (calls !== undefined && calls !== null && !Array.isArray(calls)) return 'no'
  if (role === 'tool') return Array.isArray(content) && content.length === 0 ? 'may' : 'own'
  return Array.isArray(calls) || role === 'function' || role === 'exit' || message['function_call'] !== undefined
    ? 'own'
    : 'may'
}

function readRow(message: Loose, index: number): Row<OpenAiSource> {
  const { content, tool_calls: calls } = message
  const isCustom = Array.isArray(calls) && calls.some(isCustomCall)
  if (!Array.isArray(content) && !isCustom) return { index, message, original: message }
  const view: ChatMessage = {
    ...message,
    content: Array.isArray(content) ? partsOnly(content.map(viewOfOpenaiPart)) : content,
    tool_calls: isCustom ? calls.map(chatCall) : calls,
  }
  return { index, message: view, original: view, source: { message, calls: Array.isArray(calls) ? calls : [] } }
}

function isCustomCall(call: unknown): boolean {
  return isRecord(call) && call['function'] === undefined && isRecord(call['custom'])
}

/** A custom call has one bare input; in a row it stands where the arguments of a function are. */
function chatCall(call: unknown): unknown {
  if (!isRecord(call) || !isRecord(call['custom']) || call['function'] !== undefined) return call
  const { custom, ...rest } = call
  const { name, input } = call['custom']
  return { ...rest, type: 'function', function: { name, arguments: input } }
}

function writeRow(row: Row<OpenAiSource>): Loose {
  const { message, source } = row
  if (message === row.original) return source?.message ?? message
  const { content, ...fields } = message
  const written = Array.isArray(content) ? content.flatMap(nativePart) : content
  const back = content === undefined ? fields : { ...fields, content: written }
  if (source === undefined || fields.tool_calls === undefined) return inOrder(message, back)
  const calls = callsNow(row, source.calls, withArguments).filter((call) => call !== undefined)
  return inOrder(message, { ...back, tool_calls: calls })
}

/** Fields in the order they had. */
function inOrder(message: ChatMessage, fields: Loose): Loose {
  return Object.fromEntries(Object.keys(message).map((key) => [key, fields[key]]))
}

function nativePart(part: unknown): unknown[] {
  if (isRowPart(part) && part.type === 'media' && part.from === undefined) {
    const { data, media } = part
    if (data === null || media !== 'image') return [{ type: 'text', text: `[${media}]` }]
    return [
      {
        type: 'image_url',
        image_url: { url: 'url' in data ? data.url : `data:${data.mediaType};base64,${data.base64}` },
      },
    ]
  }
  const back = partBack(part, (text) => ({ type: 'text', text }))
  return back === undefined ? [] : [back]
}

function withArguments(call: unknown, args: string): unknown {
  if (!isRecord(call)) return call
  if (isRecord(call['function'])) return { ...call, function: { ...call['function'], arguments: args } }
  return isRecord(call['custom']) ? { ...call, custom: { ...call['custom'], input: args } } : call
}
