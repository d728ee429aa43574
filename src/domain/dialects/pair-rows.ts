import { callOf } from '../conversation/call.ts'
import type { Call } from '../conversation/conversation.ts'
import { type PairEvent, type Pairing, pairCalls } from '../conversation/pair-calls.ts'
import { type CallView, callsOf, type Row, resultId, roleOf } from './row.ts'

/** A call or a result of a list; `row` is a position in it. */
export interface RowEvent extends PairEvent {
  /** Null for a result. */
  readonly call: CallView | null
}

export interface PairedRows extends Pairing {
  readonly events: readonly RowEvent[]
}

/** Calls and results of the rows of a list in their order, paired by the one rule of the house. */
export function pairRows(rows: readonly Row[]): PairedRows {
  const events: RowEvent[] = []
  rows.forEach(({ message }, row) => {
    for (const call of callsOf(message)) events.push({ kind: 'call', id: call.id, name: call.name, row, call })
    if (roleOf(message) !== 'tool') return
    const name = typeof message['name'] === 'string' ? message['name'] : undefined
    events.push({ kind: 'result', id: resultId(message), name, row, call: null })
  })
  return { events, ...pairCalls(events) }
}

/** The call that each result row answers, by position of the row; orphans are left out. */
export function answeredCalls(rows: readonly Row[]): Map<number, Call> {
  const { events, callOf: asked } = pairRows(rows)
  const answered = new Map<number, Call>()
  events.forEach(({ row, call }, at) => {
    const answeredCall = call === null ? events[asked[at] ?? -1]?.call : null
    if (answeredCall) {
      const { id, name, args } = answeredCall
      answered.set(row, callOf({ id, name, arguments: args }))
    }
  })
  return answered
}
