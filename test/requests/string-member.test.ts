import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { stringMember } from '../../src/requests/string-member.ts'

const found = (json: string | Buffer, name = 'prompt') => stringMember(Buffer.from(json), name)?.toString()

describe('stringMember', () => {
  it.each([
    ['alone', '{"prompt":"a"}', '"a"'],
    ['blank', '{"prompt":""}', '""'],
    ['between others', '{"systemPrompt":"s","prompt":"a","maxTokens":5}', '"a"'],
    ['with space everywhere', ' \r\n{\t"x" : 1 , "prompt" :\n "a" , "y" : null }\n', '"a"'],
    ['behind nested values', '{"x":{"prompt":"no","y":[{"z":"}]"}]},"v":[1,"]",{}],"prompt":"a"}', '"a"'],
    ['with quotes and slashes in it', String.raw`{"prompt":"say \"hi\" \\","b":"\\\""}`, String.raw`"say \"hi\" \\"`],
    ['as it was spelled', String.raw`{"prompt":"\u00e9\/é"}`, String.raw`"\u00e9\/é"`],
    ['twice: JSON.parse keeps the last', '{"prompt":"a","model":"m","prompt":"b","x":"c"}', '"b"'],
  ])('finds it %s', (_title, json, expected) => {
    expect(found(json)).toBe(expected)
    expect(JSON.parse(expected)).toBe(JSON.parse(json).prompt)
  })

  it.each([
    ['another type', '{"prompt":["a"]}'],
    ['no such member', '{"x":{"prompt":"a"},"y":"prompt"}'],
    ['an empty object', '{}'],
    ['no object', '["prompt","a"]'],
    ['a text', '"prompt"'],
    ['its last one is another type', '{"prompt":"a","prompt":7}'],
    ['a key with escapes, which may be the name', String.raw`{"prompt":"a","pr\u006fmpt":"b"}`],
    ['a byte order mark', '\uFEFF{"prompt":"a"}'],
  ])('finds nothing: %s', (_title, json) => {
    expect(found(json)).toBeUndefined()
  })

  it('does not hand on what is not UTF-8', () => {
    expect(found(Buffer.from('{"prompt":"\xe9"}', 'latin1'))).toBeUndefined()
  })

  it('finds what JSON.parse finds, in any object', () => {
    const key = fc.oneof(fc.constantFrom('prompt', 'a', ''), fc.string({ unit: 'binary' }))
    const members = fc.array(fc.tuple(key, fc.oneof(fc.string({ unit: 'binary' }), fc.jsonValue())))
    fc.assert(
      fc.property(members, fc.constantFrom('', ' ', '\n\t'), (rows, space) => {
        // Written by hand, so that names may repeat.
        const texts = rows.map((row) => row.map((value) => JSON.stringify(value)).join(`${space}:${space}`))
        const json = `{${space}${texts.join(`${space},${space}`)}${space}}`
        const bytes = Buffer.from(json)
        const value: unknown = JSON.parse(bytes.toString()).prompt
        const spelled = stringMember(bytes, 'prompt')
        const isPlain = !rows.some(([name]) => JSON.stringify(name).includes('\\'))
        if (isPlain) expect(spelled !== undefined).toBe(typeof value === 'string')
        if (spelled !== undefined) expect(JSON.parse(spelled.toString())).toBe(value)
      }),
      { numRuns: 500 },
    )
  })
})
