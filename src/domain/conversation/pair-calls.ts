/** A call or a result, in the order of the conversation. */
export interface PairEvent {
  readonly kind: 'call' | 'result'
  /** '' where the dialect has none. Compared as it is: readers trim. */
  readonly id: string
  readonly name?: string | undefined
  /** Calls of one row belong together: a later row takes an id over from an earlier call that nobody answered. */
  readonly row: number
}

/** Positions in the list of events; -1 for a call nobody answered, a result nobody asked for. */
export interface Pairing {
  readonly resultOf: Int32Array
  readonly callOf: Int32Array
}

/**
 * Which result answers which call (docs/spec/reading.md §1), the one rule of the house: by id, the next unanswered call of that
 * id first, since ids are used again; where there are no ids by name, then by order. Linear.
 */
export function pairCalls(events: readonly PairEvent[]): Pairing {
  const pairing: Pairing = {
    resultOf: new Int32Array(events.length).fill(-1),
    callOf: new Int32Array(events.length).fill(-1),
  }
  const byId = new Map<string, Queue>()
  const nameless = new Nameless()
  events.forEach((event, at) => {
    if (event.kind === 'call') {
      if (event.id === '') nameless.add(event, at)
      else waitFor(byId, event, at)
      return
    }
    const call = (event.id === '' ? undefined : byId.get(event.id)?.take()) ?? nameless.take(event, pairing)
    if (call === undefined) return
    pairing.callOf[at] = call
    pairing.resultOf[call] = at
  })
  return pairing
}

/** Calls of one id in one row, first come first served. Nearly all are alone. */
class Queue {
  readonly row: number
  #first: number | undefined
  #more: number[] | undefined
  #next = 0

  constructor(row: number, call: number) {
    this.row = row
    this.#first = call
  }

  add(call: number): void {
    this.#more ??= []
    this.#more.push(call)
  }

  take(): number | undefined {
    const first = this.#first
    this.#first = undefined
    if (first !== undefined) return first
    const call = this.#more?.[this.#next]
    if (call !== undefined) this.#next += 1
    return call
  }
}

function waitFor(byId: Map<string, Queue>, event: PairEvent, at: number): void {
  const queue = byId.get(event.id)
  if (queue?.row === event.row) queue.add(at)
  else byId.set(event.id, new Queue(event.row, at))
}

/** Calls without ids: a result that names its tool answers the first open call of that tool, any other the first open call. */
class Nameless {
  readonly #byName = new Map<string, { readonly calls: number[]; next: number }>()
  #order: number[] = []
  #next = 0
  #row = -1

  /** Calls of a later row take over from those of an earlier one, as by id. */
  add({ name = '', row }: PairEvent, at: number): void {
    if (row !== this.#row) {
      this.#byName.clear()
      this.#order = []
      this.#next = 0
      this.#row = row
    }
    const named = this.#byName.get(name)
    if (named === undefined) this.#byName.set(name, { calls: [at], next: 0 })
    else named.calls.push(at)
    this.#order.push(at)
  }

  take({ id, name = '' }: PairEvent, { resultOf }: Pairing): number | undefined {
    const named = this.#byName.get(name)
    if (named !== undefined) {
      while (isAnswered(resultOf, named.calls[named.next])) named.next += 1
      const call = named.calls[named.next]
      if (call !== undefined) return call
    }
    // A result with an id or a name of its own never answers a call of another name.
    if (id !== '' || name !== '') return undefined
    while (isAnswered(resultOf, this.#order[this.#next])) this.#next += 1
    return this.#order[this.#next]
  }
}

function isAnswered(resultOf: Int32Array, call: number | undefined): boolean {
  return call !== undefined && (resultOf[call] ?? -1) >= 0
}
