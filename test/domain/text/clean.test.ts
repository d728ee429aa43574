import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { balanceBidi, cleanCharacters, sliceSafely } from '../../../src/domain/text/clean.ts'

describe('balanceBidi', () => {
  it.each([
    ['an override that is never closed', 'file \u202egnp.exe', 'file gnp.exe'],
    ['a closing mark alone', 'orphan \u202c here', 'orphan  here'],
    ['one closing mark too many', '\u2066a\u2069\u2069', '\u2066a\u2069'],
    ['the outer of two when one is closed', '\u202ba\u202ab\u202c', 'a\u202ab\u202c'],
    ['nothing that is balanced', '\u2067abc\u2069 \u202bdef\u202c', '\u2067abc\u2069 \u202bdef\u202c'],
  ])('takes off %s', (_name, text, balanced) => {
    expect(balanceBidi(text)).toBe(balanced)
    expect(cleanCharacters(balanced)).toBe(balanced)
  })

  it('takes a hundred thousand marks', () => {
    expect(balanceBidi('\u202e'.repeat(100_000))).toBe('')
  })
})

it.each([
  ['\u001b[31mred\u001b[0m', 'red'],
  ['\u001b[Kline', 'line'],
  ['\u001b[3~gone', 'gone'],
  ['\u009b31mred', 'red'],
  ['\u0085\u009bAll of it', 'All of it'],
])('cleanCharacters of %j is %j', (text, clean) => {
  expect(cleanCharacters(text)).toBe(clean)
})

describe('sliceSafely', () => {
  it('never parts a surrogate pair', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.nat(40), fc.nat(40), (text, from, to) => {
        expect(sliceSafely(text, Math.min(from, to), Math.max(from, to)).isWellFormed()).toBe(true)
      }),
      { seed: 3, numRuns: 500 },
    )
    expect(sliceSafely('🙂🙂', 1, 3)).toBe('')
  })
})
