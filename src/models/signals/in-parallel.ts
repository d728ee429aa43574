import { linkedController } from './linked-signal.ts'

export interface InParallelOptions<T, R> {
  readonly items: readonly T[]
  /** How many more may be begun now, while this many run; asked at the beginning and whenever one ends. One always runs. */
  readonly room: (running: number) => number
  readonly run: (item: T, i: number, signal: AbortSignal) => Promise<R>
}

/** Results in the order of the items. The first failure aborts the others and, once they have ended, is thrown. */
export async function inParallel<T, R>(
  { items, room, run }: InParallelOptions<T, R>,
  signal: AbortSignal,
): Promise<R[]> {
  const linked = linkedController(signal)
  const { promise: over, resolve } = Promise.withResolvers<void>()
  const results: R[] = []
  const queue = items.entries()
  let running = 0
  let failure: { readonly error: unknown } | undefined

  const begin = async (i: number, item: T) => {
    try {
      results[i] = await run(item, i, linked.signal)
    } catch (error) {
      failure ??= { error }
      linked.abort(error)
    }
    running -= 1
    fill()
  }
  const fill = () => {
    const places = Math.max(running === 0 ? 1 : 0, room(running))
    for (let place = 0; place < places && failure === undefined; place += 1) {
      const next = queue.next()
      if (next.done === true) break
      running += 1
      void begin(...next.value)
    }
    if (running === 0) resolve()
  }

  fill()
  await over
  linked.unlink()
  if (failure !== undefined) throw failure.error
  return results
}

/** Room for so many at once and no more. */
export const atMost =
  (most: number) =>
  (running: number): number =>
    most - running
