import { describe, expect, it } from 'vitest'
import { textQuarters, wireQuarters } from '../../../src/domain/tokens/quarters.ts'

describe('textQuarters', () => {
  it.each([
    ['Latin', 'hello, world!', 13],
    ['Cyrillic and Greek', 'привет καλημέρα', 15],
    ['what stands before Hebrew', '\u058f', 1],
    ['Hebrew and Arabic letters', '\u05d0\u0645', 4],
    ['their punctuation', '\u060c\u061f', 2],
    ['Devanagari with its signs', 'नमस्ते', 12],
    ['Chinese, Japanese, Korean', '中ひ한', 12],
    ['full-width forms', '，Ａ', 8],
    ['a rare Chinese character', '\u{20000}', 4],
    ['emoji and dashes', '😀—', 2],
    ['a lone surrogate', '\ud83d', 1],
  ])('weighs %s', (_name, text, quarters) => {
    expect(textQuarters(text)).toBe(quarters)
  })
})

describe('wireQuarters', () => {
  it('weighs letters inside JSON as outside, and escapes as they are written', () => {
    expect(wireQuarters({ a: '中\n"' })).toBe(2 + 3 + 2 + 2 + 4 + 2 + 2)
    expect(wireQuarters('\u0001')).toBe(8)
  })
})
