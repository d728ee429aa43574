import { type Clock, NOT_NEEDED } from './clock.ts'
import { DeadlineError, LEAST_ATTEMPT_MS, leftMs } from './deadline.ts'
import { linkedController } from './linked-signal.ts'
import type { Completion, CompletionRequest, Model } from './model.ts'
import type { ModelObserver } from './observer.ts'
import { type Flight, startFlight } from './sharing/flight.ts'
import type { RequestKey } from './sharing/request-key.ts'
import { wrapModel } from './wrap-model.ts'

export interface SingleFlightOptions {
  readonly key: RequestKey
  /** Time of a shared call, whatever its waiters have left. */
  readonly requestMs: number
  readonly clock: Clock
  readonly observer: ModelObserver
  /** The embedded model where it is a candidate: it answers a waiter whose own, shorter deadline is near. */
  readonly lastResort?: Model
}

/**
 * Identical requests in flight share one call (models.md §5). It is aborted when the last waiter has gone; a waiter whose
 * own deadline passes leaves with DeadlineError and cuts nobody else.
 */
export function singleFlight(model: Model, options: SingleFlightOptions): Model {
  const { key, clock, observer, requestMs } = options
  const flights = new Map<string, Flight>()

  const take = (name: string, request: CompletionRequest): Flight => {
    const deadlineAt = Math.max(request.deadlineAt, clock.now() + requestMs)
    const flight = startFlight({
      model,
      request,
      deadlineAt,
      key,
      clock,
      onOver() {
        if (flights.get(name) === flight) flights.delete(name)
      },
    })
    flights.set(name, flight)
    return flight
  }

  return wrapModel(model, async (request, signal) => {
    signal.throwIfAborted()
    // Who asks past the cache must not be given what a flight finds in it.
    const name = `${request.noCache === true ? 'fresh' : 'any'}:${key.of(request)}`
    const running = flights.get(name)
    const completion = await waitFor(running ?? take(name, request), request, options, signal)
    if (running === undefined || completion.cache === undefined) return completion
    const cache = completion.cache === 'hit' ? 'hit' : 'coalesced'
    observer.cache(cache)
    return { ...completion, cache }
  })
}

/** One waiter: the end of the flight, or of its own patience. */
async function waitFor(
  flight: Flight,
  request: CompletionRequest,
  options: SingleFlightOptions,
  signal: AbortSignal,
): Promise<Completion> {
  const own = linkedController(signal)
  const leave = flight.join(request)
  let reason: unknown
  try {
    const completion = await Promise.race([flight.end, patience(flight, request, options, own.signal)])
    if (completion !== undefined) return completion
    reason = new DeadlineError(flight.id, { attempts: flight.rows() })
  } catch (error) {
    reason = error
    throw error
  } finally {
    own.abort(NOT_NEEDED)
    own.unlink()
    leave(reason)
  }
  if (options.lastResort === undefined || leftMs(request, options.clock) <= 0) throw reason
  request.listener?.reset?.()
  const completion = await options.lastResort.complete(request, signal)
  return { ...completion, attempts: [...flight.rows(), ...completion.attempts], cache: 'miss' }
}

/**
 * Ends with the waiter's deadline; a second before it where the embedded model can use that second and the flight will not,
 * because others wait longer (for its last waiter the chain keeps the second itself).
 */
async function patience(
  flight: Flight,
  { deadlineAt }: CompletionRequest,
  { clock, lastResort }: SingleFlightOptions,
  signal: AbortSignal,
): Promise<undefined> {
  if (lastResort !== undefined) {
    await clock.sleep(deadlineAt - LEAST_ATTEMPT_MS - clock.now(), signal)
    if (flight.waitsUntil() > deadlineAt) return
  }
  await clock.sleep(deadlineAt - clock.now(), signal)
}
