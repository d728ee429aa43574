import { type PairEvent, pairCalls } from '../../conversation/pair-calls.ts'
import { isRecord } from '../../is-record.ts'
import type { Loose } from '../codec.ts'

/** Ours: the provider never sees it. */
const PREFIX = 'unnamed-'

/**
 * Ids for the calls of a list whose dialect needs none: paired once over the whole list, by the rule of the house, and handed out
 * in the order in which its parts are read. Ids that are there are kept.
 */
export class CallNames {
  readonly #ids: Iterator<string>
  #ran = 0
  #lastRan = ''

  constructor(contents: readonly Loose[]) {
    this.#ids = idsOf(eventsOf(contents)).values()
  }

  /** The id of the next call or response of the list. */
  next(): string {
    return this.#ids.next().value ?? ''
  }

  /** What the provider ran is answered by the next part that says so. */
  ran(given: unknown): string {
    this.#ran += 1
    this.#lastRan = textOf(given) || `${PREFIX}ran-${this.#ran}`
    return this.#lastRan
  }

  ranResult(given: unknown): string {
    return textOf(given) || this.#lastRan
  }
}

/** What a part holds where it is a call or a response, by the two spellings of the field; the Python SDK dumps the others as null. */
export const calledIn = (part: Loose): unknown => part['functionCall'] ?? part['function_call'] ?? undefined
export const respondedIn = (part: Loose): unknown => part['functionResponse'] ?? part['function_response'] ?? undefined

function eventsOf(contents: readonly Loose[]): readonly PairEvent[] {
  return contents.flatMap(({ parts }, row) =>
    (Array.isArray(parts) ? parts.filter(isRecord) : []).flatMap((part): PairEvent[] => {
      const called = calledIn(part)
      const held = called ?? respondedIn(part)
      if (held === undefined) return []
      const { id, name } = isRecord(held) ? held : {}
      return [{ kind: called === undefined ? 'result' : 'call', id: textOf(id), name: textOf(name), row }]
    }),
  )
}

function idsOf(events: readonly PairEvent[]): readonly string[] {
  const answered = new Set(events.filter(({ kind }) => kind === 'result').map(({ id }) => id))
  // An id that no response names pairs nothing: its call is answered by name.
  const { callOf } = pairCalls(events.map((event) => (answered.has(event.id) ? event : { ...event, id: '' })))
  const own = events.map(({ id, kind }, at) => id || `${PREFIX}${kind}-${at + 1}`)
  return own.map((id, at) => own[callOf[at] ?? -1] ?? id)
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
