import { isRecord } from '../../is-record.ts'
import type { Loose } from '../codec.ts'
import { jsonText, roleOf } from '../row.ts'

export type ResponsesItem = Loose

/** What the writer needs to put a row back: its items, and the item of every chat-shaped call. */
export interface ResponsesSource {
  readonly items: readonly ResponsesItem[]
  /** Items of the calls, in the order of `tool_calls`. */
  readonly calls: readonly ResponsesItem[]
}

export type ItemKind = 'message' | 'call' | 'result' | 'ran' | 'reasoning' | 'compaction' | 'note' | 'opaque'

/** One row of the table of item types. */
interface ItemRule {
  readonly kind: ItemKind
  /** Of a call: the tool it is, where it has no name of its own, and the field its input stands in. */
  readonly tool?: string
  readonly input?: string
  /** Of a result: the field its output stands in; absent: it has a form that nothing else can take. */
  readonly output?: string
}

/**
 * All item types of the Responses API and, in camelCase, of the OpenAI Agents SDK. Calls the client answers have a result
 * item of the same call id; the others ran at the provider and hold what they found.
 */
const ITEMS: ReadonlyMap<unknown, ItemRule> = new Map<unknown, ItemRule>([
  ['message', { kind: 'message' }],
  ['reasoning', { kind: 'reasoning' }],
  ['compaction', { kind: 'compaction' }],
  ['compaction_summary', { kind: 'compaction' }],
  ['context_compaction', { kind: 'compaction' }],
  ['compaction_trigger', { kind: 'note' }],
  ['function_call', { kind: 'call', input: 'arguments' }],
  ['custom_tool_call', { kind: 'call', input: 'input' }],
  ['local_shell_call', { kind: 'call', tool: 'local_shell', input: 'action' }],
  ['shell_call', { kind: 'call', tool: 'shell', input: 'action' }],
  ['computer_call', { kind: 'call', tool: 'computer', input: 'action' }],
  ['apply_patch_call', { kind: 'call', tool: 'apply_patch', input: 'operation' }],
  ['tool_search_call', { kind: 'call', tool: 'tool_search', input: 'arguments' }],
  ['mcp_approval_request', { kind: 'call', input: 'arguments' }],
  ['function_call_output', { kind: 'result', output: 'output' }],
  ['function_call_result', { kind: 'result', output: 'output' }],
  ['custom_tool_call_output', { kind: 'result', output: 'output' }],
  ['local_shell_call_output', { kind: 'result', output: 'output' }],
  ['shell_call_output', { kind: 'result', output: 'output' }],
  ['computer_call_output', { kind: 'result' }],
  ['computer_call_result', { kind: 'result' }],
  ['apply_patch_call_output', { kind: 'result', output: 'output' }],
  ['tool_search_output', { kind: 'result' }],
  ['mcp_approval_response', { kind: 'result' }],
  ['web_search_call', { kind: 'ran', tool: 'web_search' }],
  ['file_search_call', { kind: 'ran', tool: 'file_search' }],
  ['code_interpreter_call', { kind: 'ran', tool: 'code_interpreter' }],
  ['image_generation_call', { kind: 'ran', tool: 'image_generation' }],
  ['mcp_call', { kind: 'ran' }],
  ['mcp_list_tools', { kind: 'ran', tool: 'mcp_list_tools' }],
  ['hosted_tool_call', { kind: 'ran' }],
])

/** For whoever only has to tell them apart. */
export const RESPONSES_ITEM_TYPES: readonly unknown[] = [...ITEMS.keys()]

/** Types whose call and result may both be the provider's: without a call id they belong to nobody. */
const SOMETIMES_RAN: ReadonlySet<unknown> = new Set([
  'local_shell_call',
  'shell_call',
  'computer_call',
  'tool_search_call',
  'tool_search_output',
])

export function typeOf(item: ResponsesItem): unknown {
  return item['type'] ?? 'message'
}

export function kindOf(item: ResponsesItem): ItemKind {
  const type = typeOf(item)
  const rule = ITEMS.get(type)
  if (rule === undefined) return 'opaque'
  return SOMETIMES_RAN.has(type) && itemCallId(item) === '' ? 'ran' : rule.kind
}

export function isItemType(type: unknown): boolean {
  return ITEMS.has(type)
}

/** An item of the assistant's side: it belongs to one answer with its neighbours. */
export function isAnswerItem(item: ResponsesItem): boolean {
  const kind = kindOf(item)
  return (
    kind === 'call' ||
    kind === 'reasoning' ||
    kind === 'ran' ||
    kind === 'opaque' ||
    (kind === 'message' && roleOf(item) === 'assistant')
  )
}

/** The id a call and its result share. */
export function itemCallId(item: ResponsesItem): string {
  const type = typeOf(item)
  const id =
    type === 'mcp_approval_request'
      ? item['id']
      : (item['call_id'] ?? item['callId'] ?? item['approval_request_id'] ?? item['approvalRequestId'])
  return typeof id === 'string' ? id : ''
}

export function toolOf(item: ResponsesItem): string {
  if (typeof item['name'] === 'string') return item['name']
  return ITEMS.get(typeOf(item))?.tool ?? 'unknown'
}

/** What a call asks for: JSON text, a bare input, or the patch that its operation is. */
export function inputOf(item: ResponsesItem): string {
  const field = inputField(item)
  const input = field === undefined ? undefined : item[field]
  return typeOf(item) === 'apply_patch_call' ? patchOf(input) : jsonText(input)
}

/** A computer call holds one action, or several. */
function inputField(item: ResponsesItem): string | undefined {
  const field = ITEMS.get(typeOf(item))?.input
  return field === 'action' && item['action'] === undefined && Array.isArray(item['actions']) ? 'actions' : field
}

const VERBS: ReadonlyMap<unknown, string> = new Map([
  ['create_file', 'Add File'],
  ['update_file', 'Update File'],
  ['delete_file', 'Delete File'],
])

/** One file operation as the patch it stands for, so that every reader of patches reads it. */
function patchOf(operation: unknown): string {
  if (!isRecord(operation)) return jsonText(operation)
  const verb = VERBS.get(operation['type'])
  if (verb === undefined) return jsonText(operation)
  const diff = typeof operation['diff'] === 'string' ? `\n${operation['diff'].trimEnd()}` : ''
  return `*** Begin Patch\n*** ${verb}: ${String(operation['path'])}${diff}\n*** End Patch`
}

/** The call item with other arguments, in the form it had: text stays text, an object stays an object. */
export function withArguments(item: ResponsesItem, args: string): ResponsesItem {
  const field = inputField(item)
  if (field === undefined || typeOf(item) === 'apply_patch_call') return item
  return { ...item, [field]: typeof item[field] === 'object' ? JSON.parse(args) : args }
}

/** The field a result's output stands in, or null where it has a form that no text can take. */
export function outputField(item: ResponsesItem): string | null {
  return ITEMS.get(typeOf(item))?.output ?? null
}
