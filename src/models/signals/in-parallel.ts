import { linkedController } from './linked-signal.ts'

export interface InParallelOptions<T, R> {
  readonly items: readonly T[]
  /** How many at once. */
  readonly most: number
  readonly run: (item: T, i: number, signal: AbortSignal) => Promise<R>
}

/** Results in the order of the items. The first failure aborts the others and, once they have ended, is thrown. */
export async function inParallel<T, R>(
  { items, most, run }: InParallelOptions<T, R>,
  signal: AbortSignal,
): Promise<R[]> {
  const linked = linkedController(signal)
  const results: R[] = []
  let failure: { readonly error: unknown } | undefined
  // One iterator for all workers: each takes the next item that nobody has begun.
  const queue = items.entries()
  const work = async () => {
    for (const [i, item] of queue) {
      try {
        results[i] = await run(item, i, linked.signal)
      } catch (error) {
        failure ??= { error }
        linked.abort(error)
      }
      if (failure !== undefined) return
    }
  }
  try {
    await Promise.all(Array.from({ length: Math.min(most, items.length) }, work))
  } finally {
    linked.unlink()
  }
  if (failure !== undefined) throw failure.error
  return results
}
