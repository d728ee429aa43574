import type { MessagePort } from 'node:worker_threads'
import type { Completion, CompletionListener, CompletionRequest, Models, Selection } from '../models/model.ts'
import { selectIds } from '../models/selection.ts'
import { onAbort } from '../models/signals/on-abort.ts'
import type { Lease } from '../models/stores/store.ts'
import type { Shelf } from '../pipelines/ahead/prepared.ts'
import { uncrossError } from '../requests/call.ts'
import { crossPrompt } from './crossed-prompt.ts'
import { type Catalog, type Progress, send, type ToWorker } from './port.ts'

interface Waiting {
  resolve(completion: Completion): void
  reject(reason: unknown): void
  readonly listener: CompletionListener | undefined
}

export interface PortClient {
  readonly models: Models
  lock(name: string): Promise<Lease | 'taken'>
  readonly shelf: Shelf
  receive(message: Exclude<ToWorker, { type: 'abort' }>): void
}

/** The worker's end of the port: Models and locks that live in the event loop, seen from here as if they were local. */
export function portClient(port: MessagePort, { known, chain }: Catalog): PortClient {
  const ids = new Set(known.map(({ id }) => id))
  const waiting = new Map<number, Waiting>()
  const locking = new Map<number, (taken: boolean) => void>()
  const shelving = new Map<number, (value: string | undefined) => void>()
  let next = 0

  function complete(selection: Selection, request: CompletionRequest, signal: AbortSignal): Promise<Completion> {
    signal.throwIfAborted()
    const id = next++
    const { listener, prompt, ...plain } = request
    return new Promise<Completion>((resolve, reject) => {
      const aborting = onAbort(() => {
        waiting.delete(id)
        send(port, { type: 'abandon', id })
        reject(signal.reason)
      }, signal)
      const settle = (after: () => void) => {
        aborting[Symbol.dispose]()
        after()
      }
      waiting.set(id, {
        listener,
        resolve: (completion) => settle(() => resolve(completion)),
        reject: (reason) => settle(() => reject(reason)),
      })
      send(port, {
        type: 'complete',
        id,
        selection,
        request: { ...plain, prompt: crossPrompt(prompt), listens: listener !== undefined },
      })
    })
  }

  function shelved(ask: (id: number) => void): Promise<string | undefined> {
    const id = next++
    return new Promise((resolve) => {
      shelving.set(id, resolve)
      ask(id)
    })
  }

  const models: Models = {
    known,
    chain,
    pinned: () => models,
    select(selection) {
      const chosen = selectIds(selection, chain, ids)
      const candidates = chosen.flatMap((id) => known.filter((facts) => facts.id === id))
      const [first, ...rest] = candidates
      if (first === undefined) throw new Error('a selection is never empty')
      return {
        ...first,
        candidates: [first, ...rest],
        complete: (request, signal) => complete(selection, request, signal),
      }
    },
  }
  return {
    models,
    async lock(name) {
      const id = next++
      const taken = await new Promise<boolean>((resolve) => {
        locking.set(id, resolve)
        send(port, { type: 'lock', id, name })
      })
      return taken ? 'taken' : { release: async () => send(port, { type: 'release', id }) }
    },
    shelf: {
      get: (name) => shelved((id) => send(port, { type: 'fetch', id, name })),
      async set(name, value, ttlMs) {
        await shelved((id) => send(port, { type: 'keep', id, name, value, ttlMs }))
      },
    },
    receive(message) {
      if (message.type === 'shelved') {
        shelving.get(message.id)?.(message.value)
        shelving.delete(message.id)
        return
      }
      if (message.type === 'locked') {
        locking.get(message.id)?.(message.taken)
        locking.delete(message.id)
        return
      }
      const call = waiting.get(message.id)
      if (call === undefined) return
      if (message.type === 'progress') {
        notify(call.listener, message)
        return
      }
      waiting.delete(message.id)
      if (message.type === 'completed') call.resolve(message.completion)
      else call.reject(uncrossError(message.error))
    },
  }
}

function notify(listener: CompletionListener | undefined, progress: Progress): void {
  if (progress.what === 'attempt') listener?.attempt?.(progress.value)
  else if (progress.what === 'delta') listener?.delta?.(progress.value)
  else listener?.reset?.()
}
