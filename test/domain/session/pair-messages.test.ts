import { expect, it } from 'vitest'
import { pairMessages } from '../../../src/domain/session/pair-messages.ts'

const call = (...ids: string[]) => ({
  role: 'assistant',
  content: ids.map((id) => ({ type: 'toolCall', id, name: 'bash', arguments: {} })),
})
const result = (toolCallId: string) => ({ role: 'toolResult', toolCallId, content: 'ok' })
const user = { role: 'user', content: 'stop' }

it('pairMessages tells a call of an id used again from the one that was answered', () => {
  const { callers, results } = pairMessages([user, call('c1'), result('c1'), user, call('c1'), user])
  expect([...callers]).toEqual([-1, -1, 1, -1, -1, -1])
  expect([...results]).toEqual([
    [1, [2]],
    [4, [-1]],
  ])
})

it('pairMessages keeps the order of the calls, whatever that of the results, and knows orphans', () => {
  const { callers, results } = pairMessages([call('a', 'b'), null, result('b'), result('a'), result('z')])
  expect([...callers]).toEqual([-1, -1, 0, 0, -1])
  expect([...results]).toEqual([[0, [3, 2]]])
})
