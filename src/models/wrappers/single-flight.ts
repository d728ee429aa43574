import { RecapdError } from '../../domain/errors.ts'
import type { Clock } from '../clock.ts'
import { DeadlineError, LEAST_ATTEMPT_MS, leftMs } from '../failures/deadline.ts'
import { type Completion, type CompletionRequest, type Model, NO_USAGE, wrapModel } from '../model.ts'
import type { ModelObserver } from '../observer.ts'
import { onAbort } from '../signals/on-abort.ts'
import { type Flight, startFlight } from './sharing/flight.ts'
import { createFlights } from './sharing/flights.ts'

export interface SingleFlightOptions {
  /** Time limit of a shared call, whatever its waiters have left. */
  readonly requestMs: number
  readonly clock: Clock
  readonly observer: ModelObserver
  /** The embedded model where it is a candidate: it answers a waiter whose own, shorter deadline is near. */
  readonly lastResort?: Model | undefined
}

/**
 * Identical requests in flight share one call (docs/spec/models.md §5). It is aborted when the last waiter has gone; a waiter whose
 * own deadline passes leaves with DeadlineError and cuts nobody else.
 */
export function withSingleFlight(model: Model, options: SingleFlightOptions): Model {
  const { clock, observer, requestMs } = options
  const flights = createFlights()

  const take = (request: CompletionRequest): Flight => {
    const deadlineAt = Math.max(request.deadlineAt, clock.now() + requestMs)
    const flight = startFlight({
      model,
      request,
      deadlineAt,
      clock,
      onOver: () => flights.remove(flight),
    })
    flights.add(flight)
    return flight
  }

  const joined =
    (request: CompletionRequest) =>
    (completion: Completion): Completion => {
      if (completion.cache === undefined) return completion
      const cache = completion.cache === 'hit' ? 'hit' : 'coalesced'
      observer.cache(cache, request)
      return {
        ...completion,
        cache,
        usage: NO_USAGE,
        calls: completion.calls.map((call) => ({ ...call, usage: NO_USAGE })),
      }
    }

  const begin = (request: CompletionRequest, signal: AbortSignal): Promise<Completion> =>
    waitFor({ flight: take(request), request, marked: (completion) => completion }, options, signal)

  /** The caller who began it has no budget left; one who has goes on alone. */
  const joinOrBegin = async (flight: Flight, request: CompletionRequest, signal: AbortSignal): Promise<Completion> => {
    try {
      return await waitFor({ flight, request, marked: joined(request) }, options, signal)
    } catch (error) {
      const isBroke = error instanceof RecapdError && error.code === 'budget-exhausted'
      if (!isBroke || flight.question.caller === request.caller) throw error
      return begin(request, signal)
    }
  }

  return wrapModel(model, (request, signal) => {
    if (signal.aborted) return Promise.reject(signal.reason)
    const running = flights.find(request)
    return running === undefined ? begin(request, signal) : joinOrBegin(running, request, signal)
  })
}

interface Waiter {
  readonly flight: Flight
  readonly request: CompletionRequest
  /** The flight's answer as this waiter gets it. */
  readonly marked: (completion: Completion) => Completion
}

/** One waiter: the end of the flight, or of its own patience; then, where there is one, the last resort, which it shares with nobody. */
async function waitFor(
  { flight, request, marked }: Waiter,
  options: SingleFlightOptions,
  signal: AbortSignal,
): Promise<Completion> {
  const patience = startPatience(flight, request, options, signal)
  const leave = flight.join(request)
  let reason: unknown
  try {
    const completion = await patience.end
    if (completion !== undefined) return marked(completion)
    reason = new DeadlineError(flight.id, { attempts: flight.rows() })
  } catch (error) {
    reason = error
    throw error
  } finally {
    patience.stop()
    leave(reason)
  }
  if (options.lastResort === undefined || leftMs(request, options.clock) <= 0) throw reason
  request.listener?.reset?.()
  const completion = await options.lastResort.complete(request, signal)
  return { ...completion, attempts: [...flight.rows(), ...completion.attempts], cache: 'miss' }
}

interface Patience {
  /** Settles as the flight does; undefined when the waiter leaves without an answer; rejects with the signal's reason. */
  readonly end: Promise<Completion | undefined>
  stop(): void
}

/**
 * Ends with the waiter's deadline; a second before it where the embedded model can use that second and the flight will not,
 * because others wait longer (for its last waiter the chain keeps the second itself).
 */
function startPatience(
  flight: Flight,
  { deadlineAt }: CompletionRequest,
  { clock, lastResort }: SingleFlightOptions,
  signal: AbortSignal,
): Patience {
  const { promise, resolve, reject } = Promise.withResolvers<Completion | undefined>()
  const end = () => resolve(undefined)
  const untilEnd = () => clock.after(deadlineAt - clock.now(), end)
  const beforeLastSecond = () => {
    if (flight.waitsUntil() > deadlineAt) end()
    else cancel = untilEnd()
  }
  let cancel =
    lastResort === undefined ? untilEnd() : clock.after(deadlineAt - LEAST_ATTEMPT_MS - clock.now(), beforeLastSecond)
  const aborting = onAbort(() => reject(signal.reason), signal)
  flight.end.then(resolve, reject)
  return {
    end: promise,
    stop() {
      cancel()
      aborting[Symbol.dispose]()
    },
  }
}
