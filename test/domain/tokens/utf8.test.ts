import { expect, test } from 'vitest'
import { signsOf, utf8Length } from '../../../src/domain/tokens/utf8.ts'

test.each([
  ['plain', 5],
  ['größe', 7],
  ['表', 3],
  ['🙂', 4],
])('utf8Length counts the bytes of %s', (text, bytes) => {
  expect(utf8Length(text)).toBe(bytes)
})

test.each([
  ['words of a Latin language', 100, 100],
  ['größere Wörter', 100, 100],
  ['表里的字', 100, 47],
  ['색상 규칙을 지켜 주세요', 100, 60],
])('signsOf says how much of %s stands for so many letters', (text, letters, most) => {
  const signs = signsOf(letters, text)
  expect(signs).toBeLessThanOrEqual(most)
  expect(signs).toBeGreaterThan(most * 0.75)
})
