import type { CompletionListener } from '../model.ts'

/** A listener that knows whether deltas are out which nobody has taken back yet. */
export interface TrackedListener {
  readonly listener: CompletionListener
  /** Takes back what was sent, if anything was. */
  discard(): void
}

/** Wraps a listener for one candidate: `reset` is only sent when there is something to take back (docs/spec/models.md §10). */
export function trackedListener(listener: CompletionListener | undefined): TrackedListener | undefined {
  if (listener === undefined) return undefined
  if (listener.delta === undefined) return { listener, discard() {} }
  const { delta } = listener
  let dirty = false
  const reset = () => {
    dirty = false
    listener.reset?.()
  }
  return {
    listener: {
      ...listener,
      attempt: (row) => listener.attempt?.(row),
      reset,
      delta: (text) => {
        dirty = true
        delta.call(listener, text)
      },
    },
    discard() {
      if (dirty) reset()
    },
  }
}

/** For calls whose text is not the answer: their attempts are passed on, their words are not. */
export function withoutDeltas(listener: CompletionListener): CompletionListener {
  const { delta: _delta, reset: _reset, ...rest } = listener
  return rest
}
