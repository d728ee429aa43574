import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { textTokens } from '../../src/domain/tokens/text-tokens.ts'
import {
  isSamePrompt,
  madePrompt,
  promptTokens,
  readPrompt,
  spelledPrompt,
  splicedPrompt,
  textPrompt,
  withParagraph,
} from '../../src/models/prompt.ts'
import { asciiOnly } from '../support/ascii-only.ts'

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

it('splicedPrompt is what its pieces spell, and counts at least its tokens', () => {
  const prompt = splicedPrompt([Buffer.from('"'), Buffer.from(String.raw`one\n`), Buffer.from('漢字"')])
  expect(prompt.text).toBe('one\n漢字')
  expect(Buffer.from(prompt.json ?? []).toString()).toBe(String.raw`"one\n漢字"`)
  expect(prompt.length).toBe(prompt.json?.length)
  expect(prompt.mostTokens).toBeGreaterThanOrEqual(textTokens('one\n漢字'))
})

describe('withParagraph', () => {
  const line = 'Say "it" in one line:\n- 漢字'

  it('is the prompt and the paragraph, in whatever form', () => {
    for (const prompt of [textPrompt('ä "b"'), spelled(String.raw`"\u00e4 \"b\""`)])
      expect(withParagraph(prompt, line).text).toBe(`ä "b"\n\n${line}`)
  })

  it('reads no spelling, and counts on from what was counted', () => {
    const json = Buffer.from('"four"')
    const prompt = withParagraph(spelledPrompt(json, { tokens: 1 }), line)
    json.write('"five"')
    expect(prompt.text).toBe(`five\n\n${line}`)
    expect(promptTokens(prompt)).toBe(1 + textTokens(`\n\n${line}`))
    expect(withParagraph(spelled('"four"'), line).tokens).toBeUndefined()
  })
})

describe('readPrompt', () => {
  it('makes the text of a spelling once', () => {
    const json = Buffer.from('"a"')
    const prompt = readPrompt(spelledPrompt(json))
    json.write('"b"')
    expect([prompt.text, prompt.json]).toEqual(['a', json])
  })

  it('makes none of one whose tokens are known', () => {
    const json = Buffer.from('"a"')
    const prompt = readPrompt(spelledPrompt(json, { tokens: 7 }))
    expect([promptTokens(prompt), prompt.mostTokens]).toEqual([7, 7])
    json.write('"b"')
    expect(prompt.text).toBe('b')
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
