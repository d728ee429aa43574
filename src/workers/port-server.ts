import type { MessagePort } from 'node:worker_threads'
import { asRecapdError, RecapdError } from '../domain/errors.ts'
import type { AttemptRow } from '../models/model.ts'
import { letOthers } from '../models/signals/let-others.ts'
import { onAbort } from '../models/signals/on-abort.ts'
import type { Lease } from '../models/stores/store.ts'
import type { PipelineDeps } from '../pipelines/pipeline-context.ts'
import type { Emit } from '../pipelines/pipeline-event.ts'
import { crossError } from '../requests/call.ts'
import { SHORT_PROMPT_BYTES } from '../requests/long-work.ts'
import { stackFrames } from '../requests/stack-frames.ts'
import { uncrossPrompt } from './crossed-prompt.ts'
import { send, type ToMain } from './port.ts'

export interface Served {
  readonly deps: PipelineDeps
  readonly signal: AbortSignal
  readonly emit: Emit | undefined
  /** A bug of ours in a call made for the worker: its cause cannot cross, so it is reported here. */
  readonly onInternal: (stack: string) => void
}

/**
 * The event loop's end of a worker's port: answers its model calls and locks, counts what it reports. Resolves when the
 * worker has closed its end and everything it sent has arrived.
 */
export function servePort(port: MessagePort, served: Served): Promise<void> {
  const { signal, emit, deps } = served
  const { promise: drained, resolve } = Promise.withResolvers<void>()
  const calls = modelCalls(port, served)
  const leases = heldLeases(port, deps)
  port.on('message', (message: ToMain) => {
    if (message.type === 'complete') void calls.start(message)
    else if (message.type === 'abandon') calls.abandon(message.id)
    else if (message.type === 'lock') void leases.take(message.id, message.name)
    else if (message.type === 'release') leases.release(message.id)
    else if (message.type === 'fetch' || message.type === 'keep') void shelve(port, message, deps)
    else if (message.type !== 'event') report(message, deps)
    // Aborted, its request is answered or gone; there is nothing to be added.
    else if (!signal.aborted) emit?.(message.event)
  })
  // A worker that ends (or dies) must leave neither a running call nor a held session behind.
  port.on('close', () => {
    aborting[Symbol.dispose]()
    calls.abortAll(new RecapdError('client-closed', 'The worker is gone.'))
    leases.releaseAll()
    resolve()
  })
  const aborting = onAbort(() => {
    send(port, { type: 'abort', error: crossError(asRecapdError(signal.reason)) })
    // At once, not when the worker has heard of it: it may be computing.
    calls.abortAll(signal.reason)
  }, signal)
  return drained
}

/** The model calls a worker has asked for and not yet been answered. */
function modelCalls(port: MessagePort, { deps, signal, emit, onInternal }: Served) {
  const running = new Map<number, AbortController>()

  async function start({ id, selection, request: crossed }: Extract<ToMain, { type: 'complete' }>): Promise<void> {
    const controller = new AbortController()
    running.set(id, controller)
    const { listens, ...plain } = crossed
    const request = { ...plain, prompt: uncrossPrompt(crossed.prompt) }
    const listener = {
      attempt: (value: AttemptRow) => send(port, { type: 'progress', id, what: 'attempt', value }),
      delta: (value: string) => send(port, { type: 'progress', id, what: 'delta', value }),
      reset: () => send(port, { type: 'progress', id, what: 'reset' }),
      // The client's connection ends here: a delta that the worker reports comes back to this very thread.
      room: () => emit?.room?.(),
    }
    try {
      if (request.prompt.length > SHORT_PROMPT_BYTES) await letOthers()
      signal.throwIfAborted()
      const completion = await deps.models
        .select(selection)
        .complete(listens ? { ...request, listener } : request, controller.signal)
      send(port, { type: 'completed', id, completion })
    } catch (thrown) {
      if (controller.signal.aborted) return
      if (!(thrown instanceof RecapdError)) onInternal(stackFrames(thrown))
      send(port, { type: 'failed', id, error: crossError(asRecapdError(thrown)) })
    } finally {
      running.delete(id)
    }
  }

  return {
    start,
    abandon(id: number) {
      running.get(id)?.abort(new RecapdError('client-closed', 'Nobody waits for this call any more.'))
    },
    abortAll(reason: unknown) {
      for (const controller of running.values()) controller.abort(reason)
    },
  }
}

/** The sessions a worker holds. */
function heldLeases(port: MessagePort, deps: PipelineDeps) {
  const held = new Map<number, Lease>()
  let isOver = false
  const release = (id: number) => {
    void held.get(id)?.release()
    held.delete(id)
  }
  return {
    async take(id: number, name: string): Promise<void> {
      const lease = await deps.lock(name)
      // Nobody is left to give it back.
      if (isOver && lease !== 'taken') return lease.release()
      if (lease !== 'taken') held.set(id, lease)
      send(port, { type: 'locked', id, taken: lease === 'taken' })
    },
    release,
    releaseAll() {
      isOver = true
      for (const id of held.keys()) release(id)
    },
  }
}

/** What the worker puts aside for later requests, and finds there. */
async function shelve(
  port: MessagePort,
  message: Extract<ToMain, { type: 'fetch' | 'keep' }>,
  { shelf }: PipelineDeps,
): Promise<void> {
  const { id, name } = message
  let value: string | undefined
  if (message.type === 'fetch') value = await shelf.get(name)
  else await shelf.set(name, message.value, message.ttlMs)
  send(port, { type: 'shelved', id, value })
}

type Report = Exclude<ToMain, { type: 'complete' | 'abandon' | 'lock' | 'release' | 'fetch' | 'keep' | 'event' }>

function report(message: Report, { observer }: PipelineDeps): void {
  if (message.type === 'compaction') observer.compaction(message.facts)
  else if (message.type === 'audit') observer.audit(message.kept, message.restored)
  else if (message.type === 'hook') observer.hook(message.name, message.seconds)
  else observer.hookFault(message.name, message.fault)
}
