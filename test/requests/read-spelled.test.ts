import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readSpelled } from '../../src/requests/read-spelled.ts'

const read = (body: string) => readSpelled(Buffer.from(body), 'prompt')
const LONG = 60_000

describe('readSpelled', () => {
  it('reads the long text in pieces of whole lines, and everything else as it is', () => {
    const prompt = 'größe \\ "x" ✓ 🌍\n'.repeat(LONG / 6)
    const found = read(JSON.stringify({ systemPrompt: ['S.'], prompt, maxTokens: 7 }))
    expect(found?.pieces.join('')).toBe(prompt)
    expect(found?.pieces.length).toBeGreaterThan(2)
    expect(found?.pieces.every((piece) => piece.endsWith('\n'))).toBe(true)
    expect(found?.body).toEqual({ systemPrompt: ['S.'], prompt: found?.pieces[0], maxTokens: 7 })
    expect(JSON.parse(String(found?.json))).toBe(prompt)
  })

  it('gives back any text, however it is spelled and wherever a piece ends', () => {
    const unit = fc.constantFrom('\\', '\n', '"', 'é', '✓', '🌍', '\u001b', '\u2028', 'n', 'u')
    const spellings = [JSON.stringify, asciiOnly]
    fc.assert(
      fc.property(
        fc.array(unit, { minLength: 1, maxLength: 30 }),
        fc.integer({ min: 0, max: 40 }),
        fc.constantFrom(...spellings),
        (units, offset, spell) => {
          const prompt = 'a'.repeat(offset) + units.join('').repeat(Math.ceil(LONG / units.length))
          expect(read(`{"prompt":${spell(prompt)}}`)?.pieces.join('')).toBe(prompt)
        },
      ),
      { numRuns: 60 },
    )
  })

  it('reads an empty text, and of members with one name the last', () => {
    expect(read('{"prompt":""}')).toMatchObject({ body: { prompt: '' }, pieces: [] })
    expect(read('{"prompt":"a","prompt":"b"}')).toMatchObject({ body: { prompt: 'b' }, pieces: ['b'] })
  })

  it.each([
    ['a list', '["prompt"]'],
    ['a prompt that is no text', '{"prompt":["a"]}'],
    ['none', '{"systemPrompt":"S."}'],
  ])('leaves %s to others', (_, body) => {
    expect(read(body)).toBeUndefined()
  })

  it.each([
    ['behind the text', '{"prompt":"a","x":}'],
    ['in front of it', '{"x":tru,"prompt":"a"}'],
    ['an escape that is none', String.raw`{"prompt":"a\x"}`],
    ['a control character in the text', '{"prompt":"a\u0001"}'],
    ['a text that does not end', '{"prompt":"a'],
    ['more than one value', '{"prompt":"a"}{}'],
    ['a mark of byte order behind it', '{"prompt":"a"}\uFEFF'],
  ])('refuses what is not JSON: %s', (_, body) => {
    expect(() => JSON.parse(body)).toThrow()
    expect(() => read(body)).toThrow('not valid JSON')
  })
})

/** As Python spells it. */
const asciiOnly = (text: string): string =>
  JSON.stringify(text).replace(/[^\0-\x7f]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)
