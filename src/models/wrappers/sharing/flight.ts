import type { Clock } from '../../clock.ts'
import { DeadlineError } from '../../failures/deadline.ts'
import type { AttemptRow, Completion, CompletionListener, CompletionRequest, Model } from '../../model.ts'
import { roomOfFastest } from '../../signals/room-of-fastest.ts'

export interface FlightOptions {
  readonly model: Model
  /** The first caller's request; its deadline is not that of the flight. */
  readonly request: CompletionRequest
  readonly deadlineAt: number
  readonly clock: Clock
  /** Called once, when nobody can join any more. */
  readonly onOver: () => void
}

/** One call that several callers wait for. It lives as long as one of them does. */
export interface Flight {
  /** Of the model that is asked. */
  readonly id: string
  readonly question: CompletionRequest
  readonly end: Promise<Completion>
  /** When the most patient of its callers gives up. */
  waitsUntil(): number
  /** Rows of the attempts that ended so far. */
  rows(): readonly AttemptRow[]
  /** A late listener first hears what was sent so far. Returns a function that leaves; the last to leave aborts the call. */
  join(request: CompletionRequest): (reason: unknown) => void
}

/** Starts the call on a signal and a deadline of its own (docs/spec/models.md §5). */
export function startFlight({ model, request, deadlineAt, clock, onOver }: FlightOptions): Flight {
  const call = new AbortController()
  const fanOut = listenerFanOut(request.listener?.delta !== undefined)
  /** Deadlines of the present waiters. */
  const waiters = new Set<{ readonly deadlineAt: number }>()
  let over = false
  const finish = () => {
    if (!over) onOver()
    over = true
    cancelDeadline()
  }
  const cancelDeadline = clock.after(deadlineAt - clock.now(), () =>
    call.abort(new DeadlineError(model.id, { attempts: fanOut.rows() })),
  )
  const waitsUntil = () =>
    waiters.size === 0 ? request.deadlineAt : Math.max(...Array.from(waiters, (waiter) => waiter.deadlineAt))
  const shared = { ...request, deadlineAt, listener: { ...fanOut.listener, waitsUntil } }
  const end = model.complete(shared, call.signal)
  // Runs before any waiter hears of it. With none left nobody hears of a failure.
  void end.then(finish, finish)
  return {
    id: model.id,
    question: request,
    end,
    waitsUntil,
    rows: fanOut.rows,
    join(waiting) {
      const waiter = { deadlineAt: waiting.deadlineAt }
      waiters.add(waiter)
      const removeListener = fanOut.add(waiting.listener)
      return (reason) => {
        removeListener()
        waiters.delete(waiter)
        if (waiters.size > 0 || over) return
        finish()
        call.abort(reason)
      }
    },
  }
}

interface ListenerFanOut {
  readonly listener: CompletionListener
  rows(): readonly AttemptRow[]
  /** Returns a function that removes it. */
  add(listener: CompletionListener | undefined): () => void
}

/** Spreads what one call says over its listeners. `streams`: the first caller wanted deltas, so there will be some. */
function listenerFanOut(streams: boolean): ListenerFanOut {
  const listeners = new Set<CompletionListener>()
  /** Waiters that want only the end. */
  let silent = 0
  const rows: AttemptRow[] = []
  let said: string[] = []
  const stream = {
    delta(text: string) {
      said.push(text)
      for (const listener of listeners) listener.delta?.(text)
    },
    reset() {
      said = []
      for (const listener of listeners) listener.reset?.()
    },
  }
  return {
    listener: {
      attempt(row) {
        rows.push(row)
        for (const listener of listeners) listener.attempt?.(row)
      },
      delta: streams ? stream.delta : undefined,
      reset: streams ? stream.reset : undefined,
      room: () => (silent > 0 ? undefined : roomOfFastest(Array.from(listeners, (listener) => listener.room?.()))),
    },
    rows: () => rows.slice(),
    add(listener) {
      if (listener === undefined) {
        silent += 1
        return () => {
          silent -= 1
        }
      }
      for (const row of rows) listener.attempt?.(row)
      if (said.length > 0) listener.delta?.(said.join(''))
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}
