import type { MessagePort } from 'node:worker_threads'
import { RecapdError } from '../domain/errors.ts'
import type { Lease } from '../models/stores/store.ts'
import type { Emit, PipelineDeps } from '../pipelines/pipeline-context.ts'
import { crossError } from './call.ts'
import { type CrossedRequest, send, type ToMain } from './port.ts'

/**
 * The event loop's end of a worker's port: answers its model calls and locks, counts what it reports. Resolves when the
 * worker has closed its end and everything it sent was heard.
 */
export function servePort(
  port: MessagePort,
  deps: PipelineDeps,
  signal: AbortSignal,
  emit: Emit | undefined,
): Promise<void> {
  const drained = Promise.withResolvers<void>()
  const calls = new Map<number, AbortController>()
  const leases = new Map<number, Lease>()
  let isClosed = false

  async function complete(
    id: number,
    selection: Extract<ToMain, { type: 'complete' }>['selection'],
    crossed: CrossedRequest,
  ): Promise<void> {
    const controller = new AbortController()
    calls.set(id, controller)
    const { listens, ...request } = crossed
    const listener = {
      attempt: (value: unknown) => send(port, { type: 'heard', id, what: 'attempt', value }),
      delta: (value: string) => send(port, { type: 'heard', id, what: 'delta', value }),
      reset: () => send(port, { type: 'heard', id, what: 'reset' }),
    }
    try {
      const completion = await deps.models
        .select(selection)
        .complete(listens ? { ...request, listener } : request, controller.signal)
      send(port, { type: 'completed', id, completion })
    } catch (thrown) {
      if (!controller.signal.aborted) send(port, { type: 'failed', id, error: crossError(asRecapd(thrown)) })
    } finally {
      calls.delete(id)
    }
  }

  async function lock(id: number, name: string): Promise<void> {
    const lease = await deps.lock(name)
    // Nobody is left to give it back.
    if (isClosed && lease !== 'taken') return lease.release()
    if (lease !== 'taken') leases.set(id, lease)
    send(port, { type: 'locked', id, taken: lease === 'taken' })
  }

  port.on('message', (message: ToMain) => {
    switch (message.type) {
      case 'complete':
        void complete(message.id, message.selection, message.request)
        return
      case 'abandon':
        calls.get(message.id)?.abort(new RecapdError('client-closed', 'Nobody waits for this call any more.'))
        return
      case 'lock':
        void lock(message.id, message.name)
        return
      case 'release':
        void leases.get(message.id)?.release()
        leases.delete(message.id)
        return
      case 'event':
        emit?.(message.event, message.data)
        return
      case 'compaction':
        deps.observer.compaction(message.facts)
        return
      case 'audit':
        deps.observer.audit(message.kept, message.restored)
        return
      case 'hook':
        deps.observer.hook(message.name, message.seconds)
        return
      case 'hook-fault':
        deps.observer.hookFault(message.name, message.fault)
        return
      default:
        message satisfies never
    }
  })
  const onAbort = () => send(port, { type: 'abort', error: crossError(asRecapd(signal.reason)) })
  if (signal.aborted) onAbort()
  else signal.addEventListener('abort', onAbort, { once: true })
  // A worker that ends (or dies) must leave neither a running call nor a held session behind.
  port.on('close', () => {
    isClosed = true
    signal.removeEventListener('abort', onAbort)
    for (const controller of calls.values()) controller.abort(new RecapdError('client-closed', 'The worker is gone.'))
    for (const lease of leases.values()) void lease.release()
    drained.resolve()
  })
  return drained.promise
}

const asRecapd = (thrown: unknown): RecapdError =>
  thrown instanceof RecapdError
    ? thrown
    : new RecapdError('internal', 'This is a fault of recapd, not of your request; it was logged.', { cause: thrown })
