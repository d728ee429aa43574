import { isRecord } from '../../is-record.ts'
import type { Loose } from '../codec.ts'

/** The three dict forms of a LangChain message; each goes back as it came. */
export type Form = 'flat' | 'data' | 'lc'

const ROLES: ReadonlyMap<unknown, string> = new Map<unknown, string>([
  ['system', 'system'],
  ['developer', 'developer'],
  ['human', 'user'],
  ['user', 'user'],
  ['ai', 'assistant'],
  ['assistant', 'assistant'],
  ['tool', 'tool'],
  ['function', 'function'],
])

/** For whoever only has to tell them apart. */
export const LANGCHAIN_TYPES: readonly unknown[] = [...ROLES.keys()]

const CLASS = /^(System|Human|AI|Tool|Function|Chat)Message(?:Chunk)?$/

/** The form of a message, or null for what is none. */
export function formOf(message: Loose): Form | null {
  if (message['role'] !== undefined) return null
  if (message['lc'] !== undefined)
    return message['type'] === 'constructor' && isRecord(message['kwargs']) && chatRoleOf(message, 'lc') !== null
      ? 'lc'
      : null
  if (chatRoleOf(message, 'flat') === null) return null
  if (isRecord(message['data'])) return message['content'] === undefined ? 'data' : null
  return message['content'] === undefined ? null : 'flat'
}

/** Chat role of a message, or null where its type is unknown. */
export function chatRoleOf(message: Loose, form: Form): string | null {
  const fields = fieldsOf(message, form)
  const type = form === 'lc' ? classOf(message) : typeOf(message['type'])
  if (type === 'chat') return ROLES.get(fields['role']) ?? 'user'
  return ROLES.get(type) ?? null
}

/** `AIMessageChunk` → `ai`. */
function typeOf(type: unknown): string {
  const name = String(type)
  return CLASS.exec(name)?.[1]?.toLowerCase() ?? name
}

function classOf(message: Loose): string {
  const id: unknown = message['id']
  return typeOf(Array.isArray(id) ? id.at(-1) : '')
}

/** Where content, calls and the rest stand. */
export function fieldsOf(message: Loose, form: Form): Loose {
  const held = form === 'lc' ? message['kwargs'] : form === 'data' ? message['data'] : message
  return isRecord(held) ? held : {}
}

/** The message with other fields, in its form. */
export function withFields(message: Loose, form: Form, fields: Loose): Loose {
  if (form === 'flat') return fields
  return { ...message, [form === 'lc' ? 'kwargs' : 'data']: fields }
}

/** A user's message of ours in the form of a list. */
export function humanMessage(content: unknown, form: Form, like: Loose | undefined): Loose {
  if (form === 'flat') return { type: 'human', content }
  if (form === 'data') return { type: 'human', data: { content, additional_kwargs: {}, type: 'human' } }
  const id: unknown = like?.['id']
  const rooms: readonly unknown[] = Array.isArray(id) ? id.slice(0, -1) : ['langchain_core', 'messages']
  return { lc: 1, type: 'constructor', id: [...rooms, 'HumanMessage'], kwargs: { content } }
}
