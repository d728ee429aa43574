import { type PairEvent, pairCalls } from '../conversation/pair-calls.ts'
import { answeredCallOf, toolCallsOf } from './content.ts'
import type { AgentMessage } from './message.ts'

export interface PairedMessages {
  /** For every message: the position of the answer whose call it answers, -1 for all but such results. */
  readonly callers: Int32Array
  /** For every answer with calls, by position: the positions of their results in the order of the calls, -1 for none. */
  readonly results: ReadonlyMap<number, readonly number[]>
}

/** Calls and results of session messages, by the one rule of the house; null stands for an entry without a message. */
export function pairMessages(messages: readonly (AgentMessage | null)[]): PairedMessages {
  const events: PairEvent[] = []
  messages.forEach((message, row) => {
    if (message === null) return
    if (message.role === 'assistant')
      for (const { id, name } of toolCallsOf(message)) events.push({ kind: 'call', id, name, row })
    else if (message.role === 'toolResult')
      events.push({ kind: 'result', id: answeredCallOf(message), name: undefined, row })
  })
  const { resultOf, callOf } = pairCalls(events)
  const callers = new Int32Array(messages.length).fill(-1)
  const results = new Map<number, number[]>()
  events.forEach(({ kind, row }, at) => {
    if (kind === 'result') callers[row] = events[callOf[at] ?? -1]?.row ?? -1
    else {
      const list = results.get(row)
      const result = events[resultOf[at] ?? -1]?.row ?? -1
      if (list === undefined) results.set(row, [result])
      else list.push(result)
    }
  })
  return { callers, results }
}
