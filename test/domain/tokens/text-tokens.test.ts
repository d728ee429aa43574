import fc from 'fast-check'
import { expect, it } from 'vitest'
import { mostTextTokens, textTokens } from '../../../src/domain/tokens/text-tokens.ts'

it('mostTextTokens is never under what a text has', () => {
  expect(mostTextTokens('')).toBe(0)
  expect(mostTextTokens('中文字')).toBe(textTokens('中文字'))
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(mostTextTokens(text)).toBeGreaterThanOrEqual(textTokens(text))
    }),
  )
})
