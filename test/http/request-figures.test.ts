import { expect, it } from 'vitest'
import { createFiguresLedger } from '../../src/http/request-figures.ts'
import { silentObserver } from '../../src/models/observer.ts'

function stage() {
  let now = 0
  const figures = createFiguresLedger(() => now)
  const observer = figures.observing(silentObserver)
  const at = (ms: number) => {
    now = ms
    return observer
  }
  return { figures, at }
}
const asker = { requestId: 'r1' }
const usage = { inputTokens: 10, outputTokens: 2, costUsd: 0.5 }
const row = { model: 'a/b', outcome: 'ok', durationMs: 5 } as const

it('createFiguresLedger adds up what was done for one request, and nothing of another', () => {
  const { figures, at } = stage()
  figures.open('r1')
  at(0).attempt({ row, usage, asker })
  at(0).attempt({ row, usage, asker })
  at(0).attempt({ row, usage, asker: { requestId: 'r2' } })
  expect(figures.close('r1')).toMatchObject({
    attempts: 2,
    usage: { inputTokens: 20, outputTokens: 4, costUsd: 1 },
  })
  expect(figures.close('r1')).toMatchObject({ attempts: 0 })
})

it('createFiguresLedger counts time once, however many calls ran side by side', () => {
  const { figures, at } = stage()
  figures.open('r1')
  at(1_000).upstream(1, asker)
  at(1_200).upstream(1, asker)
  at(3_000).upstream(0.5, asker)
  at(1_500).queueWait('a', 0.25, asker)
  expect(figures.close('r1')).toMatchObject({ upstreamMs: 1_700, queueWaitMs: 250 })
})

it.each([
  [['hit'], 'hit'],
  [['hit', 'coalesced'], 'coalesced'],
  [['miss', 'hit'], 'miss'],
  [[], undefined],
] as const)('createFiguresLedger tells of %j as %s', (results, expected) => {
  const { figures, at } = stage()
  figures.open('r1')
  for (const result of results) at(0).cache(result, asker)
  expect(figures.close('r1').cache).toBe(expected)
})

it('createFiguresLedger keeps an id that two requests share until both are over', () => {
  const { figures, at } = stage()
  figures.open('r1')
  figures.open('r1')
  at(0).attempt({ row, usage, asker })
  expect(figures.close('r1').attempts).toBe(1)
  at(0).attempt({ row, usage, asker })
  expect(figures.close('r1').attempts).toBe(2)
  expect(figures.close('r1').attempts).toBe(0)
})
