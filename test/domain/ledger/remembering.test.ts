import { expect, it, vi } from 'vitest'
import type { Turn } from '../../../src/domain/conversation/conversation.ts'
import { ledger } from '../../../src/domain/ledger/ledger.ts'
import { memoryOf, remembering } from '../../../src/domain/ledger/remembering.ts'

it('remembering makes a thing once an object, undefined things too', () => {
  const remembered = remembering<string | undefined>()
  const make = vi.fn(() => undefined)
  const owner = memoryOf({})
  remembered(owner, make)
  remembered(owner, make)
  expect(make).toHaveBeenCalledTimes(1)
  expect(remembered(memoryOf({}), () => 'other')).toBe('other')
})

it('ledger tells the same of a conversation however often and in whatever part it was read before', () => {
  const turns = (): Turn[] => [
    { speaker: 'user', rows: [0], parts: [{ kind: 'words', text: 'Fix ABC-12. Never touch src/old.ts.' }] },
    {
      speaker: 'assistant',
      rows: [0],
      parts: [{ kind: 'words', text: 'We decided to use a queue instead of a lock. Shall I go on?' }],
    },
    { speaker: 'user', rows: [0], parts: [{ kind: 'words', text: 'Yes, but keep the lock for now' }] },
  ]
  const shared = turns()
  ledger({ turns: shared.slice(0, 2) })
  const again = ledger({ turns: shared })
  expect(again).toEqual(ledger({ turns: turns() }))
  expect(again.decisions.map(({ by }) => by)).toContain('user')
  expect(again.constraints).toHaveLength(1)
})
