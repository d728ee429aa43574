import { onAbort } from '../models/signals/on-abort.ts'

/** Time a thread has, after an abort, to say how its work ended. */
const GRACE_MS = 500

/**
 * The end of the work, or, once the signal has aborted, whatever comes first: the end of the work, or the reason
 * of the signal after 500 ms. A thread that computes hears of an abort late, and nobody is made to wait for that.
 */
export async function graceAfterAbort<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise: silence, reject } = Promise.withResolvers<never>()
  let timer: NodeJS.Timeout | undefined
  const aborting = onAbort(() => {
    timer = setTimeout(() => reject(signal.reason), GRACE_MS)
  }, signal)
  try {
    return await Promise.race([work, silence])
  } finally {
    clearTimeout(timer)
    aborting[Symbol.dispose]()
  }
}
