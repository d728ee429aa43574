import { expect, test } from 'vitest'
import {
  additionsBudget,
  EMBEDDED_TOKENS,
  embeddedHalves,
  summaryBudgets,
} from '../../../src/domain/summary/budgets.ts'

test.each([
  ['the default reserve', { reserveTokens: 16_384 }, [13_107, 8_192, 512, 2_048, 1_310]],
  ['a large reserve meets the caps', { reserveTokens: 100_000 }, [16_384, 50_000, 512, 2_048, 1_638]],
  ['a small reserve', { reserveTokens: 1_000 }, [800, 500, 200, 2_048, 80]],
  ['the model writes less', { reserveTokens: 16_384, maxOutputTokens: 1_000 }, [1_000, 1_000, 512, 1_000, 100]],
  ['a cap of the caller', { reserveTokens: 16_384, maxTokens: 1_000 }, [1_000, 1_000, 512, 2_048, 100]],
  [
    'a cap of the caller is shared by the halves of a split turn',
    { reserveTokens: 16_384, maxTokens: 1_112, isSplit: true },
    [660, 440, 512, 2_048, 66],
  ],
  [
    'a cap of the caller over the reserve is none',
    { reserveTokens: 1_000, maxTokens: 90_000 },
    [800, 500, 200, 2_048, 80],
  ],
  ['a cap of one', { reserveTokens: 1_000, maxTokens: 1, isSplit: true }, [1, 1, 200, 2_048, 0]],
  ['never nothing', { reserveTokens: 1 }, [1, 1, 1, 2_048, 0]],
])('summaryBudgets: %s; additionsBudget is a tenth of the history, rounded down', (_, limits, wanted) => {
  const { history, prefix, short, branch } = summaryBudgets(limits)
  expect([history, prefix, short, branch, additionsBudget(history)]).toEqual(wanted)
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
