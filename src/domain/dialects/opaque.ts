import { addAll } from '../add-all.ts'
import { isRecord } from '../is-record.ts'
import { cutText } from '../text/cut-text.ts'
import { jsonBytes } from '../tokens/json-bytes.ts'
import { readableText } from './readable-text.ts'
import type { Row } from './row.ts'
import { isRowPart, type OpaquePart } from './row-part.ts'

const TOLD_CHARS = 500
const NAME = /^[\w.:@/-]{1,60}$/
const CALL_IDS = ['call_id', 'callId', 'tool_call_id', 'tool_use_id', 'toolCallId', 'toolUseId']
const NOTED_TYPES = 20

/** A part of a type that nobody here knows: weighed by its bytes, told by its readable strings (docs/spec/reading.md §3). */
export function opaquePart(part: unknown, type: unknown): OpaquePart {
  const name = typeof type === 'string' && NAME.test(type) ? type : 'part'
  return {
    type: 'opaque',
    name,
    text: cutText(readableText(part, { joint: ', ', mostChars: TOLD_CHARS }), TOLD_CHARS),
    claimsCall: claimsCall(part),
    quarters: jsonBytes(part),
    from: part,
  }
}

function claimsCall(part: unknown): boolean {
  const stack: unknown[] = [part]
  while (stack.length > 0) {
    const next = stack.pop()
    if (Array.isArray(next)) addAll(stack, next)
    else if (isRecord(next)) {
      if (CALL_IDS.some((id) => typeof next[id] === 'string')) return true
      addAll(stack, Object.values(next))
    }
  }
  return false
}

/** What the readers of a list did not understand. */
export interface Unread {
  /** One sentence a type, with how often it occurs. */
  readonly warnings: readonly string[]
  /** Half of a pair may be among it, so the pairs of the list cannot be vouched for. */
  readonly claimsCall: boolean
}

export function unreadOf(rows: readonly Row[]): Unread {
  const counts = new Map<string, number>()
  let claims = false
  for (const { message } of rows) {
    const parts: readonly unknown[] = Array.isArray(message.content) ? message.content : []
    for (const part of parts) {
      if (!isRowPart(part) || part.type !== 'opaque') continue
      counts.set(part.name, (counts.get(part.name) ?? 0) + 1)
      claims ||= part.claimsCall
    }
  }
  const warnings = [...counts].slice(0, NOTED_TYPES).map(([name, count]) => `unread part '${name}' (${count})`)
  return { warnings, claimsCall: claims }
}
