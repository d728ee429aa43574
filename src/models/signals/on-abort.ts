/** Calls `run` when the signal aborts, at once where it has already; disposing of the result calls that off. */
export function onAbort(run: () => void, signal: AbortSignal): Disposable {
  if (signal.aborted) run()
  else signal.addEventListener('abort', run, { once: true })
  return { [Symbol.dispose]: () => signal.removeEventListener('abort', run) }
}
