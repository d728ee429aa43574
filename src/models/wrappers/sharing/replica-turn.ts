import type { Clock } from '../../clock.ts'
import type { Lease, Store } from '../../stores/store.ts'

export interface ReplicaTurnOptions<Answer> {
  readonly store: Pick<Store, 'lease'>
  readonly clock: Clock
  /** Of the answer that is to be made. */
  readonly name: string
  /** Time until nobody waits for it any more. */
  readonly leftMs: number
  readonly read: () => Promise<Answer | undefined>
}

/** Either somebody else's answer, or our turn to make it: with the lease, or without one after waiting too long. */
export type ReplicaTurn<Answer> =
  | { readonly answer: Answer; readonly lease?: undefined }
  | { readonly answer?: undefined; readonly lease?: Lease }

/** Renewed while held, so this is only how long the others wait for a replica that died. */
const LEASE_MS = 10_000
const FIRST_PAUSE_MS = 100
const LONGEST_PAUSE_MS = 1_000

/**
 * Waits while another replica makes the same answer (docs/spec/models.md §9), at most for half of the time that is left: paying
 * twice is better than no answer. A lease that vanishes without an answer (failure, crash) makes it our turn.
 */
export async function replicaTurn<Answer>(
  options: ReplicaTurnOptions<Answer>,
  signal: AbortSignal,
): Promise<ReplicaTurn<Answer>> {
  const { store, clock, name, read } = options
  const startedAt = clock.now()
  const patienceMs = options.leftMs / 2
  let pauseMs = FIRST_PAUSE_MS
  for (;;) {
    const lease = await store.lease(`making:${name}`, LEASE_MS)
    if (lease !== 'taken' && pauseMs === FIRST_PAUSE_MS) return { lease }
    const answer = await read()
    if (answer !== undefined) {
      if (lease !== 'taken') await lease.release()
      return { answer }
    }
    if (lease !== 'taken') return { lease }
    if (clock.now() - startedAt + pauseMs > patienceMs) return {}
    await clock.sleep(pauseMs, signal)
    pauseMs = Math.min(LONGEST_PAUSE_MS, pauseMs * 1.5)
  }
}
