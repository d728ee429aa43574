import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseBlocks } from '../../../src/domain/transcript/parse-blocks.ts'

const roles = (conversation: string): string[] =>
  parseBlocks(conversation).map((block) => `${block.role}: ${block.text}`)

describe('parseBlocks', () => {
  it('reads the labels of omp 13 and of this service', () => {
    const text =
      '[User]: a\n\nb\n\n[Assistant thinking]: c\n\n[Assistant]: d\n\n[Assistant tool calls]: e()\n\n[Tool result]: f\n\n[Tool error]: g'
    expect(roles(text)).toEqual([
      'user: a\n\nb',
      'thinking: c',
      'assistant: d',
      'tool-calls: e()',
      'tool-result: f',
      'tool-error: g',
    ])
  })

  it('reads the labels of omp 18', () => {
    expect(roles('[User]: a\n\n[Think]: b\n\n[Tool Call]: c()\n\n[Tool Result]: d')).toEqual([
      'user: a',
      'thinking: b',
      'tool-calls: c()',
      'tool-result: d',
    ])
  })

  it('reads the labels of hermes, ids and appended calls', () => {
    const text =
      '[USER]: a\n\n[ASSISTANT]: b\n[Tool calls:\n  read({"path": "x"})\n  ls({})\n]\n\n[TOOL RESULT call_1]: c\n\n[SYSTEM]: d'
    expect(roles(text)).toEqual([
      'user: a',
      'assistant: b',
      'tool-calls: read({"path": "x"})\n  ls({})',
      'tool-result: c',
      'other: d',
    ])
  })

  it('reads the dialects of other models as far as they go', () => {
    expect(roles('Human: a\n\nAssistant: b\n\nHuman: c')).toEqual(['user: a', 'assistant: b', 'user: c'])
    expect(roles('<user>\na\n</user>\n<assistant>\nb\n</assistant>\n<tool_result id="1">\nc\n</tool_result>')).toEqual([
      'user: a',
      'assistant: b',
      'tool-result: c',
    ])
  })

  it('splits at known labels behind a blank line and nowhere else', () => {
    const text = '[User]: see [Assistant]: no\n[Assistant]: no\n\n[foo]: no\n\n[user]: no\n\n[Assistant]: yes'
    expect(parseBlocks(text)).toHaveLength(2)
  })

  it('keeps text in front of the first label and text without labels', () => {
    expect(roles('intro\n\n[User]: a')).toEqual(['other: intro', 'user: a'])
    expect(roles('just text')).toEqual(['other: just text'])
    expect(parseBlocks(' \n')).toEqual([])
  })

  it('blocks cover the conversation: in order, apart by blank space only', () => {
    const part = fc.constantFrom('[User]: ', '[Assistant]: ', '[Tool result]: ', 'text', '\n', '\n\n', '[foo]: ', ' ')
    fc.assert(
      fc.property(fc.array(part, { maxLength: 20 }), (parts) => {
        const text = parts.join('')
        let at = 0
        for (const block of parseBlocks(text)) {
          expect(text.slice(at, block.start).trim()).toBe('')
          expect(block.end).toBeGreaterThanOrEqual(block.start)
          expect(text.slice(block.start, block.end)).toContain(block.text)
          at = block.end
        }
        expect(text.slice(at).trim()).toBe('')
      }),
      { seed: 99, numRuns: 1000 },
    )
  })
})
