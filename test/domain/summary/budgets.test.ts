import { expect, test } from 'vitest'
import {
  additionsBudget,
  EMBEDDED_TOKENS,
  embeddedHalves,
  summaryBudgets,
} from '../../../src/domain/summary/budgets.ts'

test.each([
  { name: 'the default reserve', limits: { reserveTokens: 16_384 }, wanted: [13_107, 8_192, 512, 2_048, 1_310] },
  {
    name: 'a large reserve meets the caps',
    limits: { reserveTokens: 100_000 },
    wanted: [16_384, 50_000, 512, 2_048, 1_638],
  },
  { name: 'a small reserve', limits: { reserveTokens: 1_000 }, wanted: [800, 500, 200, 2_048, 80] },
  {
    name: 'the model writes less',
    limits: { reserveTokens: 16_384, maxOutputTokens: 1_000 },
    wanted: [1_000, 1_000, 512, 1_000, 100],
  },
  {
    name: 'a cap of the caller',
    limits: { reserveTokens: 16_384, maxTokens: 1_000 },
    wanted: [1_000, 1_000, 512, 2_048, 100],
  },
  {
    name: 'a cap of the caller is shared by the halves of a split turn',
    limits: { reserveTokens: 16_384, maxTokens: 1_112, isSplit: true },
    wanted: [660, 440, 512, 2_048, 66],
  },
  {
    name: 'a cap of the caller over the reserve is none',
    limits: { reserveTokens: 1_000, maxTokens: 90_000 },
    wanted: [800, 500, 200, 2_048, 80],
  },
  {
    name: 'a cap of one',
    limits: { reserveTokens: 1_000, maxTokens: 1, isSplit: true },
    wanted: [1, 1, 200, 2_048, 0],
  },
  { name: 'never nothing', limits: { reserveTokens: 1 }, wanted: [1, 1, 1, 2_048, 0] },
])('summaryBudgets: $name', ({ limits, wanted }) => {
  const { history, prefix, short, branch } = summaryBudgets(limits)
  expect([history, prefix, short, branch, additionsBudget(history)]).toEqual(wanted)
})

test('additionsBudget is a tenth, rounded down', () => {
  expect(additionsBudget(16_384)).toBe(1_638)
})

test.each([
  ['a short beginning leaves the history more', 20],
  ['a long one never takes more than a third', 50_000],
])('embeddedHalves: %s; both stay within the whole', (_, prefixTokens) => {
  const { history, prefix } = embeddedHalves(prefixTokens)
  expect(prefix).toBe(prefixTokens < 100 ? 170 : 600)
  expect(history).toBeGreaterThan(EMBEDDED_TOKENS - prefix - 20)
  expect(history + prefix).toBeLessThan(EMBEDDED_TOKENS)
})
