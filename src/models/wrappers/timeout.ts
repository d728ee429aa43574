import type { Clock } from '../clock.ts'
import { type CompletionRequest, type Model, wrapModel } from '../model.ts'
import { ModelError } from '../model-error.ts'
import { linkedController } from '../signals/linked-signal.ts'

export interface TimeoutOptions {
  /** One try, in ms. */
  readonly attemptMs: number
  /** From the start of a try to the first sign of its answer, in ms. Only sources that report deltas can meet it early. */
  readonly firstTokenMs: number
  readonly clock: Clock
}

/**
 * Ends a try after attemptMs, at its first-token clock, or at the request's deadline, whichever comes first, with a
 * `timeout`. One controller and one timer a try: AbortSignal.any costs a hundred times as much.
 */
export function withTimeout(model: Model, { clock, attemptMs, firstTokenMs }: TimeoutOptions): Model {
  async function complete(request: CompletionRequest, signal: AbortSignal) {
    signal.throwIfAborted()
    const startedAt = clock.now()
    const endsAt = Math.min(startedAt + attemptMs, request.deadlineAt)
    const call = linkedController(signal)
    const expire = () => call.abort(new ModelError(model.id, 'timeout'))
    let cancel = clock.after(Math.min(endsAt - startedAt, firstTokenMs), expire)
    let waiting = startedAt + firstTokenMs < endsAt
    const firstToken = () => {
      if (!waiting) return
      waiting = false
      cancel()
      cancel = clock.after(endsAt - clock.now(), expire)
    }
    try {
      return await model.complete(listening(request, firstToken), call.signal)
    } finally {
      cancel()
      call.unlink()
    }
  }
  return wrapModel(model, complete)
}

/**
 * A source reports life without text as an empty delta (it sent reasoning, or cannot stream at all). That is for this clock
 * alone and is not passed on.
 */
function listening(request: CompletionRequest, firstToken: () => void): CompletionRequest {
  const { listener } = request
  return {
    ...request,
    listener: {
      ...listener,
      delta(text) {
        firstToken()
        if (text !== '') listener?.delta?.(text)
      },
    },
  }
}
