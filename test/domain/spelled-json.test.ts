import fc from 'fast-check'
import { expect, it } from 'vitest'
import { spelledPlaces, spelledText, spelling } from '../../src/domain/spelled-json.ts'
import { asciiOnly } from '../support/ascii-only.ts'

const texts = fc.array(
  fc.oneof(fc.string({ unit: 'grapheme' }), fc.constantFrom('\n', '\\', '"', '\t', '\\n', '漢', '😀')),
)

it('spelledPlaces says where each character of a text stands in its spelling, however that is spelled', () => {
  fc.assert(
    fc.property(texts, (pieces) => {
      const text = pieces.join('')
      const units = pieces.map((_, i) => pieces.slice(0, i).join('').length)
      for (const json of [JSON.stringify(text), asciiOnly(text)].map((each) => Buffer.from(each))) {
        const places = [...spelledPlaces(json, units), json.length - 1]
        const read = pieces.map((_, i) => JSON.parse(`"${json.toString('utf8', places[i], places[i + 1])}"`))
        expect(read).toEqual(pieces)
      }
    }),
  )
})

it('spelledPlaces ends with the text', () => {
  expect(spelledPlaces(Buffer.from('"ab"'), [0, 2, 9])).toEqual([1, 3, 4])
})

it('spelledText is the text, and spelling its bytes without the quotes', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(spelledText(Buffer.from(JSON.stringify(text)))).toBe(text)
      expect(spelledText(Buffer.from(asciiOnly(text)))).toBe(text)
      expect(`"${spelling(text).toString()}"`).toBe(JSON.stringify(text))
    }),
  )
  const long = 'a line with "quotes" and 漢字 😀\n'.repeat(9_000)
  expect(spelledText(Buffer.from(JSON.stringify(long)))).toBe(long)
})
