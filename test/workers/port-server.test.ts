import { once } from 'node:events'
import { setImmediate as turn } from 'node:timers/promises'
import { MessageChannel, type MessagePort } from 'node:worker_threads'
import { describe, expect, it, onTestFinished } from 'vitest'
import { RecapdError } from '../../src/domain/errors.ts'
import type { Completion, CompletionRequest } from '../../src/models/model.ts'
import type { PipelineDeps } from '../../src/pipelines/pipeline-context.ts'
import { send, type ToWorker } from '../../src/workers/port.ts'
import { type Served, servePort } from '../../src/workers/port-server.ts'
import { completionOf } from '../support/fake-model.ts'
import { CONTEXT, pipelineWorld } from '../support/pipeline-world.ts'
import { waitUntil } from '../support/wait-until.ts'

interface Behaviour {
  readonly complete?: (request: CompletionRequest, signal: AbortSignal) => Promise<Completion>
  readonly lock?: PipelineDeps['lock']
}

/** A port whose other end is the test, in place of a worker. */
function stage({ complete, lock, ...more }: Partial<Omit<Served, 'deps'>> & Behaviour = {}) {
  const { port1, port2 } = new MessageChannel()
  onTestFinished(() => port2.close())
  const { deps } = pipelineWorld()
  const select = () => ({ ...deps.models.select({}), ...(complete === undefined ? {} : { complete }) })
  const drained = servePort(port1, {
    signal: new AbortController().signal,
    emit: undefined,
    onInternal() {},
    ...more,
    deps: { ...deps, models: { ...deps.models, select }, ...(lock === undefined ? {} : { lock }) },
  })
  const received: ToWorker[] = []
  port2.on('message', (message: ToWorker) => received.push(message))
  return { worker: port2, drained, received }
}

const ask = (worker: MessagePort, id = 1, listens = false) =>
  send(worker, {
    type: 'complete',
    id,
    selection: {},
    request: { system: 'S.', prompt: { text: 'P.' }, deadlineAt: CONTEXT.deadlineAt, listens },
  })

describe('servePort', () => {
  it('hands on a prompt as it was spelled, in the memory in which it came', async () => {
    const json = Buffer.from(new SharedArrayBuffer(4))
    json.write('"P."')
    let asked: CompletionRequest | undefined
    const { worker, received } = stage({
      async complete(request) {
        asked = request
        return completionOf('alpha/fast', 'Fine.')
      },
    })
    const request = { system: 'S.', prompt: { json }, deadlineAt: CONTEXT.deadlineAt, listens: false }
    send(worker, { type: 'complete', id: 1, selection: {}, request })
    await waitUntil(() => received.length === 1, 'the answer')
    expect(asked?.prompt.text).toBe('P.')
    json.write('"Q."')
    expect(asked?.prompt.text).toBe('Q.')
  })

  it('answers a call with its completion, and tells the listener what is received meanwhile', async () => {
    const { worker, received } = stage({
      async complete({ listener }) {
        listener?.delta?.('Fi')
        listener?.reset?.()
        listener?.attempt?.({ model: 'a', outcome: 'ok', durationMs: 1 })
        return completionOf('a', 'Fine.')
      },
    })
    ask(worker, 7, true)
    await once(worker, 'message')
    await waitUntil(() => received.length === 4, 'four messages')
    expect(received.map(({ type }) => type)).toEqual(['progress', 'progress', 'progress', 'completed'])
    expect(received.at(-1)).toMatchObject({ id: 7, completion: { text: 'Fine.' } })
  })

  it('makes a model wait for a client that does not read', async () => {
    const { promise: room, resolve } = Promise.withResolvers<void>()
    const told: string[] = []
    const { worker, received } = stage({
      emit: Object.assign(() => {}, { room: () => room }),
      async complete({ listener }) {
        await listener?.room?.()
        told.push('went on')
        return completionOf('a', 'Fine.')
      },
    })
    ask(worker, 7, true)
    await turn()
    told.push('room')
    resolve()
    await waitUntil(() => received.length === 1, 'the completion')
    expect(told).toEqual(['room', 'went on'])
  })

  it('hears nothing for a call that does not listen', async () => {
    const seen: (CompletionRequest['listener'] | undefined)[] = []
    const { worker } = stage({
      async complete({ listener }) {
        seen.push(listener)
        return completionOf('a', 'Fine.')
      },
    })
    ask(worker)
    await once(worker, 'message')
    expect(seen).toEqual([undefined])
  })

  it('crosses a failure without its cause, and tells a bug of ours by its frames', async () => {
    const stacks: string[] = []
    const failures = [
      new RecapdError('models-failed', 'Failed.', { retryAfterMs: 5, cause: new Error('hidden') }),
      new TypeError('hidden'),
    ]
    const { worker, received } = stage({
      onInternal: (stack) => stacks.push(stack),
      async complete() {
        throw failures.shift()
      },
    })
    ask(worker, 1)
    ask(worker, 2)
    await waitUntil(() => received.length === 2, 'two messages')
    expect(received).toMatchObject([
      { type: 'failed', error: { code: 'models-failed', message: 'Failed.', extras: { retryAfterMs: 5 } } },
      { type: 'failed', error: { code: 'internal' } },
    ])
    expect(stacks).toHaveLength(1)
    expect(stacks[0]).toContain('port-server.test.ts')
    expect(JSON.stringify([received, stacks])).not.toContain('hidden')
  })

  it.each(['the request', 'the worker', 'the thread'])('aborts a call when %s gives up', async (who) => {
    const controller = new AbortController()
    const signals: AbortSignal[] = []
    const { worker, received, drained } = stage({
      signal: controller.signal,
      complete(_request, signal) {
        signals.push(signal)
        return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
      },
    })
    ask(worker)
    await waitUntil(() => signals.length === 1, 'the call began')
    if (who === 'the request') controller.abort(new RecapdError('deadline-exceeded', 'Late.'))
    if (who === 'the worker') send(worker, { type: 'abandon', id: 1 })
    if (who === 'the thread') {
      worker.close()
      await drained
    }
    await waitUntil(() => signals[0]?.aborted, 'it is aborted')
    await turn()
    expect(received.filter(({ type }) => type !== 'abort')).toEqual([])
    if (who === 'the request') expect(received).toMatchObject([{ type: 'abort', error: { code: 'deadline-exceeded' } }])
  })

  it('tells a worker at once that its request is over already', async () => {
    const { worker, received } = stage({ signal: AbortSignal.abort(new RecapdError('client-closed', 'Gone.')) })
    ask(worker)
    await waitUntil(() => received.length > 0, 'a message')
    expect(received[0]).toMatchObject({ type: 'abort', error: { code: 'client-closed' } })
  })

  it('hands events on, but none after the request was aborted', async () => {
    const controller = new AbortController()
    const events: string[] = []
    const { worker, drained } = stage({ signal: controller.signal, emit: ({ name }) => events.push(name) })
    send(worker, { type: 'event', event: { name: 'reset', data: {} } })
    await waitUntil(() => events.length > 0, 'an event')
    controller.abort(new RecapdError('client-closed', 'Gone.'))
    send(worker, { type: 'event', event: { name: 'summary', data: { kind: 'list' } } })
    worker.close()
    await drained
    expect(events).toEqual(['reset'])
  })

  it('has received everything when it resolves', async () => {
    const events: string[] = []
    const { worker, drained } = stage({ emit: ({ name }) => events.push(name) })
    for (let index = 0; index < 500; index += 1) {
      send(worker, { type: 'event', event: { name: 'delta', data: { text: String(index) } } })
    }
    worker.close()
    await drained
    expect(events).toHaveLength(500)
  })

  it('gives back every session a worker held, also one that was granted when it was gone', async () => {
    const granted = Promise.withResolvers<void>()
    const released: string[] = []
    const { worker, received, drained } = stage({
      async lock(name) {
        if (name === 'late') await granted.promise
        return name === 'other' ? 'taken' : { release: async () => void released.push(name) }
      },
    })
    for (const [id, name] of ['one', 'other', 'two', 'late'].entries()) send(worker, { type: 'lock', id, name })
    await waitUntil(() => received.length === 3, 'three messages')
    expect(received).toMatchObject([{ taken: false }, { id: 1, taken: true }, { id: 2, taken: false }])
    send(worker, { type: 'release', id: 0 })
    await waitUntil(() => released.length > 0, 'a release')
    worker.close()
    await drained
    granted.resolve()
    await turn()
    expect(released).toEqual(['one', 'two', 'late'])
  })
})
