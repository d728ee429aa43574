import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parsePrompt } from '../../../src/domain/transcript/parse-prompt.ts'
import { plainStringEnd } from '../../../src/domain/transcript/plain-spelling.ts'
import { asciiOnly } from '../../support/ascii-only.ts'

const endOf = (json: string) => plainStringEnd(Buffer.from(json), 0)
const SPELLINGS = [JSON.stringify, asciiOnly]

describe('plainStringEnd', () => {
  it.each([
    ['nothing', ''],
    ['plain lines', 'Summarize this:\nit went well.\r\nError: none, see [1] and [ 2 ]\n\n  - a "quoted" word \\ done'],
    [
      'what only looks like a label',
      'Users: three\nhuman being\n[User] said\n# Userland\n<users>\n**Usage:** x\nHello',
    ],
    ['labels of an assistant alone', '[Assistant]: hi\nAssistant: hi\n## Assistant\nsystem: x'],
    ['a label in a sentence', 'and the User: said'],
    ['other tags', 'see <b>, < conversation>, <conversation and </conversation>'],
    ['characters beyond ASCII', 'größe ✓ 漢字 🌍 \u2028\n漢字'],
  ])('is behind the quote of %s', (_, text) => {
    for (const json of SPELLINGS.map((spell) => spell(text))) {
      expect(endOf(json)).toBe(Buffer.byteLength(json))
      expect(plainStringEnd(Buffer.from(`{"prompt":${json}}`), 10)).toBe(10 + Buffer.byteLength(json))
    }
  })

  it.each([
    ['a label', 'User: hello'],
    ['one in a later line', 'Well.\nhuman: hello'],
    ['one after blanks', 'x\r\n \t USER: hello'],
    ['one with a wide colon', 'x\nUser：hello'],
    ['one in brackets', 'x\n[User]: hello'],
    ['a bold one', 'x\n**Human:** hello'],
    ['a heading', 'x\n##\t user\nhello'],
    ['a tag of one', 'x\n<user>'],
    ['a tag of a conversation', 'see <chat_history> x'],
    ['a list of messages', 'x [\n\t {"role":"user"}]'],
    ['a list behind an odd blank', 'x [\u00a0{"role":"user"}]'],
    ['NUL', 'a\0b'],
    ['a lone surrogate', 'a\ud800b'],
    ['the other half of one', 'a\udc00\ud800'],
  ])('is in doubt of %s', (_, text) => {
    for (const spell of SPELLINGS) expect(endOf(spell(text))).toBe(-1)
  })

  it.each([
    ['an escape that is none', String.raw`"a\x"`],
    ['a number that is none', String.raw`"a\u12g4"`],
    ['a number that is cut', String.raw`"a\u12"`],
    ['ASCII by its number, which may be of a tag', String.raw`"\u003cconversation>"`],
    ['a control character', '"a\u0001"'],
    ['a text that does not end', '"abcdefg'],
    ['an escape that does not end', '"abc\\'],
    ['nothing at all', '"'],
  ])('is in doubt of %s, spelled so', (_, json) => {
    expect(endOf(json)).toBe(-1)
  })

  it('holds for nothing that is read as a conversation, whatever its lines and however it is spelled', () => {
    const line = fc.constantFrom(
      ...[
        'User: a',
        'Assistant: b',
        '[User]: a',
        '[Assistant]: b',
        '## User',
        '## Assistant',
        '# HUMAN #',
        '  User: a',
      ],
      ...['**User:** a', '**Assistant:** b', '<conversation>', '</conversation>', '<user>', '</user>', '<assistant>'],
      ...['[', '[{"role":"user","content":"a"},', '{"role":"assistant","content":"b"}]', '', 'Summarize the above.'],
      ...['text', '\\', '"quoted"', '漢字 😀', '\u00a0', '\ud800'],
    )
    let plain = 0
    fc.assert(
      fc.property(fc.array(line, { maxLength: 12 }), fc.constantFrom(...SPELLINGS), (lines, spell) => {
        const text = lines.join('\n')
        const json = spell(text)
        const end = endOf(`${json}, "and more"`)
        if (end < 0) return
        plain += 1
        expect(end).toBe(Buffer.byteLength(json))
        expect(parsePrompt(text)).toBeNull()
        expect(text.isWellFormed()).toBe(true)
      }),
      { numRuns: 3_000 },
    )
    expect(plain).toBeGreaterThan(100)
  })

  it('is a string of JSON, whatever bytes it is made of', () => {
    const unit = fc.constantFrom(
      '\\',
      '\\\\',
      '\\n',
      '\\"',
      '"',
      '\\u',
      '00e9',
      'd83d',
      '\\ude00',
      'a',
      'é',
      '😀',
      '\n',
      '[',
      '<',
    )
    fc.assert(
      fc.property(fc.array(unit, { maxLength: 12 }), (units) => {
        const json = `"${units.join('')}"`
        const end = endOf(json)
        if (end >= 0) expect(() => JSON.parse(Buffer.from(json).toString('utf8', 0, end))).not.toThrow()
      }),
      { numRuns: 3_000 },
    )
  })
})
