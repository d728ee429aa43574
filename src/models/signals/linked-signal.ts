import { onAbort } from './on-abort.ts'

/** A controller that also aborts when its parent does. `unlink` once the work is over, else the parent keeps it. */
export interface LinkedController {
  readonly signal: AbortSignal
  abort(reason: unknown): void
  unlink(): void
}

/** AbortSignal.any by hand: that one costs 34 µs a call and keeps its sources alive. */
export function linkedController(parent: AbortSignal): LinkedController {
  const controller = new AbortController()
  const following = onAbort(() => controller.abort(parent.reason), parent)
  return {
    signal: controller.signal,
    abort: (reason) => controller.abort(reason),
    unlink: () => following[Symbol.dispose](),
  }
}
