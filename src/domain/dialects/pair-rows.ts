import { callOf } from '../conversation/call.ts'
import type { Call } from '../conversation/conversation.ts'
import { type PairEvent, pairCalls } from '../conversation/pair-calls.ts'
import { callsOf, type Row, resultId, roleOf } from './row.ts'

/** The call that each result row answers, by position of the row; orphans are left out. */
export function answeredCalls(rows: readonly Row[]): Map<number, Call> {
  const events: (PairEvent & { readonly call: Call | null })[] = []
  rows.forEach(({ message }, row) => {
    for (const { id, name, args } of callsOf(message))
      events.push({ kind: 'call', id, name, row, call: callOf({ id, name, arguments: args }) })
    if (roleOf(message) === 'tool') events.push({ kind: 'result', id: resultId(message), row, call: null })
  })
  const { callOf: asked } = pairCalls(events)
  const answered = new Map<number, Call>()
  events.forEach(({ row, call }, at) => {
    const answeredCall = call === null ? events[asked[at] ?? -1]?.call : null
    if (answeredCall) answered.set(row, answeredCall)
  })
  return answered
}
