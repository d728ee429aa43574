import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { textTokens } from '../../src/domain/tokens/text-tokens.ts'
import { isSamePrompt, madePrompt, promptTokens, spelledPrompt, textPrompt } from '../../src/models/prompt.ts'

const spelled = (json: string) => spelledPrompt(Buffer.from(json))

describe('spelledPrompt', () => {
  it('is the text that its JSON is of', () => {
    const prompt = spelled(String.raw`"\u00e9\n\"x\""`)
    expect(prompt.text).toBe('é\n"x"')
    expect(promptTokens(prompt)).toBe(textTokens('é\n"x"'))
  })

  it('never promises fewer tokens than there are, nor does a text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const prompts = [textPrompt(text), spelled(JSON.stringify(text)), spelled(asciiOnly(text))]
        for (const prompt of prompts) expect(prompt.mostTokens).toBeGreaterThanOrEqual(textTokens(text))
      }),
    )
  })
})

it('madePrompt keeps no text: it is made for whoever reads it', () => {
  let made = 0
  const make = () => {
    made += 1
    return `text ${made}`
  }
  const prompt = madePrompt(make, 6)
  expect([prompt.length, prompt.mostTokens, made]).toEqual([6, 5, 0])
  expect([prompt.text, prompt.text]).toEqual(['text 1', 'text 2'])
})

/** As Python spells it. */
const asciiOnly = (text: string): string =>
  JSON.stringify(text).replace(/[^\0-\x7f]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)

it.each([
  ['equal texts', textPrompt('a'), textPrompt('a'), true],
  ['other texts', textPrompt('a'), textPrompt('b'), false],
  ['equal spellings', spelled('"a"'), spelled('"a"'), true],
  ['two spellings of one text', spelled('"a"'), spelled(String.raw`"\u0061"`), false],
  ['a spelling and the text it is of', spelled('"a"'), textPrompt('a'), false],
])('isSamePrompt of %s', (_, one, other, isSame) => {
  expect(isSamePrompt(one, other)).toBe(isSame)
  expect(isSamePrompt(other, one)).toBe(isSame)
})
