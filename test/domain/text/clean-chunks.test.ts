import fc from 'fast-check'
import { expect, it } from 'vitest'
import { cleanCharacters } from '../../../src/domain/text/clean.ts'
import { chunkCleaner } from '../../../src/domain/text/clean-chunks.ts'

const inChunks = (chunks: readonly string[]) => {
  const clean = chunkCleaner()
  return chunks.map((chunk) => clean(chunk))
}

it.each([
  ['a pair of surrogates', ['is \ud83d', '\udc1d busy'], 'is 🐝 busy'],
  ['a terminal code', ['\u001b', '[3', '1mred\u001b[0m'], 'red'],
  ['a line end', ['one\r', '\ntwo'], 'one\ntwo'],
  ['half a pair and nothing behind it', ['a\ud83d', 'b'], 'ab'],
])('chunkCleaner puts %s together again', (_what, chunks, expected) => {
  expect(inChunks(chunks).join('')).toBe(expected)
})

it('chunkCleaner gives what cleanCharacters gives of the whole, wherever it is cut', () => {
  const piece = fc.constantFrom(
    'a',
    ' ',

    '\n',
    '\u0000',
    '\u001b[31m',
    '\u001b]0;t\u0007',
    '🐝',
    '\u009b1m',
    '\u0085',
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), fc.array(fc.nat(200), { maxLength: 8 }), (pieces, cuts) => {
      const text = pieces.join('')
      const at = [0, ...cuts.map((cut) => cut % (text.length + 1)).sort((one, other) => one - other), text.length]
      const chunks = at.slice(1).map((end, i) => text.slice(at[i], end))
      expect(inChunks([...chunks, '.']).join('')).toBe(cleanCharacters(`${text}.`))
    }),
    { seed: 5, numRuns: 500 },
  )
})
