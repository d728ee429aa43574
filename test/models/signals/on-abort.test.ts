import { getEventListeners } from 'node:events'
import { expect, it } from 'vitest'
import { onAbort } from '../../../src/models/signals/on-abort.ts'

it('onAbort runs once when the signal aborts, and leaves no listener behind', () => {
  const controller = new AbortController()
  const runs: number[] = []
  onAbort(() => runs.push(1), controller.signal)
  controller.abort()
  expect(runs).toHaveLength(1)
  expect(getEventListeners(controller.signal, 'abort')).toHaveLength(0)
})

it('onAbort runs at once where the signal has aborted already', () => {
  const runs: number[] = []
  onAbort(() => runs.push(1), AbortSignal.abort())
  expect(runs).toHaveLength(1)
})

it('onAbort does not run once it is disposed of', () => {
  const controller = new AbortController()
  const runs: number[] = []
  const aborting = onAbort(() => runs.push(1), controller.signal)
  aborting[Symbol.dispose]()
  expect(getEventListeners(controller.signal, 'abort')).toHaveLength(0)
  controller.abort()
  expect(runs).toHaveLength(0)
})
