import { describe, expect, it } from 'vitest'
import { readSpelled } from '../../src/requests/read-spelled.ts'

const read = (body: string) => readSpelled(Buffer.from(body), 'prompt')

describe('readSpelled', () => {
  it('leaves the long text as it was spelled, and reads everything else', () => {
    const prompt = 'größe \\ "x" ✓ 🌍\n'.repeat(10_000)
    const found = read(JSON.stringify({ systemPrompt: ['S.'], prompt, maxTokens: 7 }))
    expect(found?.body).toEqual({ systemPrompt: ['S.'], prompt: '.', maxTokens: 7 })
    expect(JSON.parse(String(found?.json))).toBe(prompt)
  })

  it('says of an empty text that it is, and of members with one name takes the last', () => {
    expect(read('{"prompt":""}')).toMatchObject({ body: { prompt: '' } })
    expect(String(read('{"prompt":"a","prompt":"b"}')?.json)).toBe('"b"')
  })

  it.each([
    ['a list', '["prompt"]'],
    ['a prompt that is no text', '{"prompt":["a"]}'],
    ['none', '{"systemPrompt":"S."}'],
    ['a text that may hold a conversation', '{"prompt":"User: a"}'],
    ['an escape that is none', String.raw`{"prompt":"a\x"}`],
    ['a control character in the text', '{"prompt":"a\u0001"}'],
    ['a text that does not end', '{"prompt":"a'],
  ])('leaves %s to others', (_, body) => {
    expect(read(body)).toBeUndefined()
  })

  it.each([
    ['behind the text', '{"prompt":"a","x":}'],
    ['in front of it', '{"x":tru,"prompt":"a"}'],
    ['more than one value', '{"prompt":"a"}{}'],
    ['a mark of byte order behind it', '{"prompt":"a"}\uFEFF'],
  ])('refuses what is not JSON: %s', (_, body) => {
    expect(() => JSON.parse(body)).toThrow()
    expect(() => read(body)).toThrow('not valid JSON')
  })
})
