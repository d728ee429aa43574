import { isObject, type Row } from './row.ts'

/**
 * For every call the converter read, the call as it is now, or undefined when it was taken off. Order is kept by every step,
 * so calls that share an id are told apart by their turn.
 */
export function matchCalls(row: Row): (unknown | undefined)[] {
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
export function rewrittenArguments(before: unknown, now: unknown): string | null {
  if (before === now || !isObject(now) || !isObject(now['function'])) return null
  const args = now['function']['arguments']
  return typeof args === 'string' ? args : null
}

function idOf(call: unknown): unknown {
  return isObject(call) ? call['id'] : call
}
