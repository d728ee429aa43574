import { expect, it } from 'vitest'
import { ledger } from '../../../src/domain/ledger/ledger.ts'
import { timelineOf } from '../../../src/domain/ledger/timeline.ts'
import { type ToldStep, told } from '../../support/told.ts'

const many = <T>(count: number, each: (at: number) => T): T[] => Array.from({ length: count }, (_, at) => each(at))

it('ledger keeps the newest of very many different rules and choices', () => {
  const steps = many(1000, (at): ToldStep[] => [
    { user: `No, use the store ${at}b instead. Never touch src/part-${at}.ts.` },
    { says: `The store ${at}b is in place now.` },
  ])
  const held = ledger(told(...steps.flat()))
  expect(held.constraints.length).toBeLessThanOrEqual(120)
  expect(held.constraints.at(-1)?.text).toContain('src/part-999.ts')
  expect(held.decisions.at(-1)?.text).toContain('999b')
})

it('ledger keeps the newest of very many failures, announced steps and listed rules, and leaves none of them unsettled', () => {
  const failing = many(
    300,
    (at): ToldStep => ({ run: `npx vitest run test/t${at}.test.ts`, output: `Error: no table ${at}`, code: 1 }),
  )
  const settled: ToldStep = { run: 'npx vitest run test/t298.test.ts', output: '3 passed' }
  const plans = { says: many(300, (at) => `Next I will write docs/page-${at}.md.`).join('\n') }
  const written: ToldStep = { tool: 'write', args: { path: 'docs/page-299.md' }, output: 'ok' }
  const rules = { user: `Rules:\n${many(300, (at) => `- table number ${at} is ours`).join('\n')}` }
  const held = ledger(told(rules, ...failing, settled, plans, written))
  expect(held.openErrors.map(({ text }) => text)).toEqual(
    [294, 295, 296, 297, 299].map((at) => `Error: no table ${at}`),
  )
  expect(held.openSteps.at(-1)?.text).toBe('Next I will write docs/page-298.md.')
  expect(held.constraints).toHaveLength(12)
})

it('ledger carries the newest decisions of an earlier summary that tells very many', () => {
  const lines = many(1000, (at) => `- table ${at} holds the word${at} of the part${at}`)
  const held = ledger(told({ user: 'Go on.' }), { summary: `## Key Decisions\n${lines.join('\n')}`, durable: null })
  expect(held.decisions).toHaveLength(16)
  expect(held.decisions.at(-1)?.text).toContain('table 999 ')
})

it('timelineOf heeds the newest 500 remarks between calls, and of older ones only what closed a turn', () => {
  const remarks = many(600, (at): ToldStep[] => [{ says: `Remark ${at}.` }, { run: 'ls', output: 'src' }]).flat()
  const { sayings } = timelineOf(
    told({ user: 'Go.' }, { says: 'It is done.' }, { user: 'Go on.' }, { says: 'First of all.' }, ...remarks),
    0,
  )
  expect(sayings.map(({ text }) => text)).toEqual(['It is done.', ...many(500, (at) => `Remark ${at + 100}.`)])
})
