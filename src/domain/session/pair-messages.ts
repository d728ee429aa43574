import { type PairEvent, pairCalls } from '../conversation/pair-calls.ts'
import { answeredCallOf, toolCallsOf } from './content.ts'
import type { AgentMessage } from './message.ts'

export interface PairedMessages {
  /** `callersOf` the messages. */
  readonly callers: Int32Array
  /** For every answer with calls, by position: the positions of their results in the order of the calls, -1 for none. */
  readonly results: ReadonlyMap<number, readonly number[]>
}

/** Calls and results of session messages, by the one rule of the house; null stands for an entry without a message. */
export function pairMessages(messages: readonly (AgentMessage | null)[]): PairedMessages {
  const events = eventsOf(messages)
  const { resultOf, callOf } = pairCalls(events)
  const results = new Map<number, number[]>()
  events.forEach(({ kind, row }, at) => {
    if (kind === 'result') return
    const list = results.get(row)
    const result = events[resultOf[at] ?? -1]?.row ?? -1
    if (list === undefined) results.set(row, [result])
    else list.push(result)
  })
  return { callers: callersIn(messages, events, callOf), results }
}

/** For every message: the position of the answer whose call it answers, -1 for all but such results. */
export function callersOf(messages: readonly (AgentMessage | null)[]): Int32Array {
  const events = eventsOf(messages)
  return callersIn(messages, events, pairCalls(events).callOf)
}

function callersIn(
  messages: readonly (AgentMessage | null)[],
  events: readonly PairEvent[],
  callOf: Int32Array,
): Int32Array {
  const callers = new Int32Array(messages.length).fill(-1)
  events.forEach(({ kind, row }, at) => {
    if (kind === 'result') callers[row] = events[callOf[at] ?? -1]?.row ?? -1
  })
  return callers
}

function eventsOf(messages: readonly (AgentMessage | null)[]): readonly PairEvent[] {
  const events: PairEvent[] = []
  messages.forEach((message, row) => {
    if (message === null) return
    if (message.role === 'assistant')
      for (const { id, name } of toolCallsOf(message)) events.push({ kind: 'call', id, name, row })
    else if (message.role === 'toolResult')
      events.push({ kind: 'result', id: answeredCallOf(message), name: undefined, row })
  })
  return events
}
