import { expect, it } from 'vitest'
import type { Turn } from '../../../src/domain/conversation/conversation.ts'
import { ledger } from '../../../src/domain/ledger/ledger.ts'

const said = (speaker: 'user' | 'assistant', text: string): Turn => ({
  speaker,
  rows: [0],
  parts: [{ kind: 'words', text }],
})

it('ledger keeps the newest of very many different rules and choices', () => {
  const turns = Array.from({ length: 1000 }, (_, at) => [
    said('user', `No, use the store ${at}b instead. Never touch src/part-${at}.ts.`),
    said('assistant', `The store ${at}b is in place now.`),
  ]).flat()
  const held = ledger({ turns })
  expect(held.constraints.length).toBeLessThanOrEqual(120)
  expect(held.constraints.at(-1)?.text).toContain('src/part-999.ts')
  expect(held.decisions.at(-1)?.text).toContain('999b')
})
