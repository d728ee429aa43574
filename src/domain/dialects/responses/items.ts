import { isObject, jsonText, roleOf } from '../row.ts'

export type Item = Readonly<Record<string, unknown>>

/** What the writer needs to put a row back: its items, and the item of every chat-shaped call. */
export interface ResponsesSource {
  readonly items: readonly Item[]
  /** Items of the calls, in the order of `tool_calls`. */
  readonly calls: readonly Item[]
}

// Calls the client runs: each has an output item of the same call_id. All other calls ran at the provider and have none.
const CALL_TYPES: ReadonlySet<unknown> = new Set([
  'function_call',
  'custom_tool_call',
  'local_shell_call',
  'shell_call',
  'computer_call',
  'apply_patch_call',
  'tool_search_call',
])
const INPUT_FIELD: Readonly<Record<string, string>> = {
  function_call: 'arguments',
  tool_search_call: 'arguments',
  custom_tool_call: 'input',
}

const PLAIN = /^(function|custom_tool)_call(_output)?$/

type ItemKind = 'message' | 'call' | 'result' | 'reasoning' | 'compaction' | 'opaque'

export function kindOf(item: Item): ItemKind {
  const type = item['type'] ?? 'message'
  if (type === 'message') return 'message'
  if (type === 'reasoning') return 'reasoning'
  if (type === 'compaction' || type === 'compaction_summary') return 'compaction'
  // Without a call_id the provider ran it by itself, but for the plain kinds, which always are the client's.
  const owned = (typeof item['call_id'] === 'string' && item['call_id'] !== '') || PLAIN.test(String(type))
  if (!owned) return 'opaque'
  if (CALL_TYPES.has(type)) return 'call'
  return typeof type === 'string' && type.endsWith('_output') ? 'result' : 'opaque'
}

/** An item of the assistant's side: it belongs to one answer with its neighbours. */
export function isAnswerItem(item: Item): boolean {
  const kind = kindOf(item)
  return (
    kind === 'call' || kind === 'reasoning' || kind === 'opaque' || (kind === 'message' && roleOf(item) === 'assistant')
  )
}

/** The chat shape of a call item. */
export function chatCall(item: Item): unknown {
  const name = typeof item['name'] === 'string' ? item['name'] : String(item['type']).replace(/_call$/, '')
  return { id: item['call_id'], type: 'function', function: { name, arguments: jsonText(item[inputField(item)]) } }
}

/** The call item with other arguments, in the form it had: text stays text, an object stays an object. */
export function withArguments(item: Item, args: string): Item {
  const field = inputField(item)
  return { ...item, [field]: isObject(item[field]) ? JSON.parse(args) : args }
}

function inputField(item: Item): string {
  return INPUT_FIELD[String(item['type'])] ?? 'action'
}
