import { expect, it, vi } from 'vitest'
import { giveBackMemory } from '../../src/process/give-back.ts'

it('giveBackMemory collects once, down to what cannot be spared', () => {
  const collect = vi.fn()
  giveBackMemory(() => collect)
  expect(collect.mock.calls).toEqual([[{ type: 'major', execution: 'sync', flavor: 'last-resort' }]])
})
