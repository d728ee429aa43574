import { isRecord } from '../is-record.ts'
import type { Row } from './row.ts'

/**
 * The calls of a rewritten row in the dialect's own form: `native` holds one for every call the reader made, in order. A call
 * that was taken off is undefined, one that was not rewritten is as it came.
 */
export function callsNow<Call>(
  row: Row,
  native: readonly Call[],
  withArguments: (call: Call, args: string) => Call,
): (Call | undefined)[] {
  const before: readonly unknown[] = Array.isArray(row.original.tool_calls) ? row.original.tool_calls : []
  return matchCalls(row).map((call, at) => {
    const own = native[at]
    if (call === undefined || own === undefined) return undefined
    const args = rewrittenArguments(before[at], call)
    return args === null ? own : withArguments(own, args)
  })
}

/**
 * For every call the reader made, the call as it is now, or undefined when it was taken off. Order is kept by every step, so
 * calls that share an id are told apart by their turn.
 */
function matchCalls(row: Row): (unknown | undefined)[] {
  const before: readonly unknown[] = Array.isArray(row.original.tool_calls) ? row.original.tool_calls : []
  const now: readonly unknown[] = Array.isArray(row.message.tool_calls) ? row.message.tool_calls : []
  let next = 0
  return before.map((call) => {
    const candidate = now[next]
    if (candidate === undefined || (candidate !== call && idOf(candidate) !== idOf(call))) return undefined
    next += 1
    return candidate
  })
}

/** The arguments of a call as it is now, when a step rewrote it; null when it is the same call. */
function rewrittenArguments(before: unknown, now: unknown): string | null {
  if (before === now || !isRecord(now) || !isRecord(now['function'])) return null
  const args = now['function']['arguments']
  return typeof args === 'string' ? args : null
}

function idOf(call: unknown): unknown {
  return isRecord(call) ? call['id'] : call
}

/** The chat shape of a call, which every step reads and rewrites. */
export function chatCall(id: unknown, name: unknown, args: string): unknown {
  return { id, type: 'function', function: { name, arguments: args } }
}
