/** Time a thread has to say how its work ended. */
const LAST_WORDS_MS = 500

/**
 * The end of the work, or, once the signal has aborted, whatever comes first: the words the work ends with, or the reason
 * of the signal after 500 ms. A thread that computes hears of an abort late, and nobody is made to wait for that.
 */
export async function withLastWords<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise: silence, reject } = Promise.withResolvers<never>()
  let timer: NodeJS.Timeout | undefined
  const onAbort = () => {
    timer = setTimeout(() => reject(signal.reason), LAST_WORDS_MS)
  }
  if (signal.aborted) onAbort()
  else signal.addEventListener('abort', onAbort, { once: true })
  try {
    return await Promise.race([work, silence])
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', onAbort)
  }
}
