import { describe, expect, it } from 'vitest'
import { textTokens } from '../../src/domain/tokens/text-tokens.ts'
import { type Prompt, spelledPrompt, textPrompt } from '../../src/models/prompt.ts'
import { crossedText, crossPrompt, uncrossPrompt } from '../../src/workers/crossed-prompt.ts'

const MIB = 1_048_576
/** No piece of it ends between two characters of 16 bits: there is one more `x` in front. */
const LONG_TEXT = `x${'😀'.repeat(MIB)}`
const LONG_QUOTES = '"\\\n'.repeat(MIB / 2)

function shared(text: string): Uint8Array {
  const bytes = Buffer.from(new SharedArrayBuffer(Buffer.byteLength(text)))
  bytes.write(text)
  return bytes
}

const spelled = (text: string) => spelledPrompt(shared(JSON.stringify(text)), { text })
const own = (text: string) => spelledPrompt(Buffer.from(JSON.stringify(text)), { text })

describe('crossPrompt', () => {
  it.each<readonly [string, Prompt, object]>([
    ['a short text as it is', textPrompt('short'), { text: 'short' }],
    ['a short spelling as it is', spelled('short'), { json: shared('"short"'), tokens: undefined }],
    ['a spelling in memory of its own as the text it is of', own('short'), { text: 'short' }],
    ['a long text spelled', textPrompt(LONG_TEXT), { tokens: textTokens(LONG_TEXT) }],
    ['a text that is spelled at twice its length', textPrompt(LONG_QUOTES), { tokens: textTokens(LONG_QUOTES) }],
    ['a long spelling with its tokens', spelled(LONG_TEXT), { tokens: textTokens(LONG_TEXT) }],
  ])('takes %s', (_, prompt, expected) => {
    const crossed = crossPrompt(prompt)
    expect(crossed).toMatchObject(expected)
    const there = uncrossPrompt(structuredClone(crossed))
    expect(there.text === prompt.text).toBe(true)
    expect(there.tokens).toBe('tokens' in expected ? expected.tokens : undefined)
  })

  it('spells a long text in memory that threads share, once', () => {
    const crossed = crossPrompt(textPrompt(LONG_TEXT))
    if (!('json' in crossed)) throw new Error('crossed as a text')
    expect(crossed.json.buffer).toBeInstanceOf(SharedArrayBuffer)
    expect(Buffer.from(crossed.json).equals(Buffer.from(JSON.stringify(LONG_TEXT)))).toBe(true)
    expect(crossPrompt(uncrossPrompt(crossed))).toEqual(crossed)
  })
})

describe('crossedText', () => {
  it('is the text, however it crossed', () => {
    for (const prompt of [textPrompt('short'), spelled('short'), spelled(LONG_TEXT), textPrompt(LONG_QUOTES)])
      expect(crossedText(structuredClone(crossPrompt(prompt))) === prompt.text).toBe(true)
  })

  it('of what was spelled here is not read again, while its prompt is kept', () => {
    let reads = 0
    const { length, mostTokens } = textPrompt(LONG_TEXT)
    const prompt: Prompt = {
      get text() {
        reads += 1
        return LONG_TEXT
      },
      length,
      mostTokens,
    }
    const crossed = crossPrompt(prompt)
    if (!('json' in crossed)) throw new Error('crossed as a text')
    reads = 0
    expect(crossedText(crossed) === LONG_TEXT).toBe(true)
    expect(reads).toBe(1)
    const other = { ...crossed, json: shared(JSON.stringify(LONG_QUOTES)) }
    expect(crossedText(other) === LONG_QUOTES).toBe(true)
    expect(reads).toBe(1)
  })
})
