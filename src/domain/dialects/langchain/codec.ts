import { isRecord } from '../../is-record.ts'
import type { ChatMessage } from '../../tokens/chat-tokens.ts'
import { partsOnly } from '../blocks/block-view.ts'
import { callsNow, chatCall } from '../calls-now.ts'
import { type Codec, type Loose, noRepair } from '../codec.ts'
import { parseArguments } from '../parse-arguments.ts'
import { jsonText, type Row } from '../row.ts'
import { partBack } from '../row-part.ts'
import { chatRoleOf, type Form, fieldsOf, formOf, humanMessage, withFields } from './forms.ts'
import { shadowOf, viewOfLangchainPart } from './parts.ts'

interface LangChainSource {
  readonly message: Loose
  readonly form: Form
  /** In the order of the row's calls, with the field each stands in. */
  readonly calls: readonly NativeCall[]
}

interface NativeCall {
  readonly field: 'tool_calls' | 'invalid_tool_calls' | 'additional_kwargs'
  readonly call: unknown
}

/** LangChain messages as dicts (docs/spec/reading.md §3): one row a message, each given back in the form it came in. */
export const langchainCodec: Codec<LangChainSource> = {
  mergesAdjacent: false,
  fit: (message) => (formOf(message) === null ? 'no' : 'own'),
  blocksOf: (message) => {
    const { content } = fieldsOf(message, formOf(message) ?? 'flat')
    return Array.isArray(content) || typeof content === 'string' || content === null || content === undefined
      ? []
      : null
  },
  knows: () => true,
  read: (messages) => messages.map(readRow),
  repair: noRepair,
  write: (rows, given) => {
    const [first] = given
    const form = first === undefined ? 'flat' : (formOf(first) ?? 'flat')
    return rows.map((row) => writeRow(row, form, first))
  },
}

function readRow(message: Loose, index: number): Row<LangChainSource> {
  const form = formOf(message) ?? 'flat'
  const fields = fieldsOf(message, form)
  const { content } = fields
  const calls = nativeCalls(fields)
  const view: ChatMessage = {
    role: chatRoleOf(message, form) ?? 'user',
    content: Array.isArray(content) ? partsOnly(content.map(viewOfLangchainPart)) : content,
    tool_calls: calls.length === 0 ? undefined : calls.map(({ call }) => chatView(call)),
    tool_call_id: fields['tool_call_id'],
    is_error: fields['status'] === 'error' || undefined,
    reasoning_content: reasoningIn(fields),
  }
  return { index, message: view, original: view, source: { message, form, calls } }
}

function reasoningIn(fields: Loose): unknown {
  const more = fields['additional_kwargs']
  return isRecord(more) ? more['reasoning_content'] : undefined
}

function nativeCalls(fields: Loose): NativeCall[] {
  const calls = listOf(fields['tool_calls']).map((call): NativeCall => ({ field: 'tool_calls', call }))
  const invalid = listOf(fields['invalid_tool_calls']).map(
    (call): NativeCall => ({ field: 'invalid_tool_calls', call }),
  )
  if (calls.length + invalid.length > 0) return [...calls, ...invalid]
  const more = fields['additional_kwargs']
  const raw = isRecord(more) ? listOf(more['tool_calls']) : []
  return raw.map((call): NativeCall => ({ field: 'additional_kwargs', call }))
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

function chatView(call: unknown): unknown {
  if (!isRecord(call) || isRecord(call['function'])) return call
  return chatCall(call['id'], call['name'], jsonText(call['args']))
}

function writeRow(row: Row<LangChainSource>, form: Form, like: Loose | undefined): Loose {
  const { source, message } = row
  const content = Array.isArray(message.content)
    ? message.content.flatMap((part: unknown) => partBack(part, (text) => ({ type: 'text', text })) ?? [])
    : message.content
  if (source === undefined) return humanMessage(content, form, like)
  if (message === row.original) return source.message
  const fields = fieldsOf(source.message, source.form)
  const calls = callsNow(row, source.calls, withArguments)
  return withFields(source.message, source.form, {
    ...fields,
    content: withoutShadows(content, source, calls),
    ...callFields(fields, calls),
  })
}

function withArguments(native: NativeCall, args: string): NativeCall {
  const { call } = native
  if (!isRecord(call)) return native
  const isRaw = isRecord(call['function'])
  return {
    ...native,
    call: isRaw
      ? { ...call, function: { ...Object(call['function']), arguments: args } }
      : { ...call, args: parseArguments(args) },
  }
}

/** The lists of calls as they are now; those that repeat them for a provider lose the same ones. */
function callFields(fields: Loose, calls: readonly (NativeCall | undefined)[]): Loose {
  const left = calls.filter((call) => call !== undefined)
  const out: Record<string, unknown> = {}
  for (const field of ['tool_calls', 'invalid_tool_calls'] as const) {
    if (Array.isArray(fields[field])) out[field] = left.filter((call) => call.field === field).map(({ call }) => call)
  }
  const more = fields['additional_kwargs']
  if (!isRecord(more) || !Array.isArray(more['tool_calls'])) return out
  const raw = left.filter((call) => call.field === 'additional_kwargs').map(({ call }) => call)
  const ids = new Set(left.map(({ call }) => (isRecord(call) ? call['id'] : undefined)))
  const kept =
    raw.length > 0 ? raw : more['tool_calls'].filter((call: unknown) => isRecord(call) && ids.has(call['id']))
  return { ...out, additional_kwargs: { ...more, tool_calls: kept } }
}

/** Blocks that repeat a call which was taken off go with it. */
function withoutShadows(
  content: unknown,
  { calls }: LangChainSource,
  now: readonly (NativeCall | undefined)[],
): unknown {
  if (!Array.isArray(content)) return content
  const gone = new Set(calls.flatMap(({ call }, at) => (now[at] === undefined && isRecord(call) ? [call['id']] : [])))
  return content.filter((part: unknown) => {
    const id = shadowOf(part)
    return id === null || !gone.has(id)
  })
}
