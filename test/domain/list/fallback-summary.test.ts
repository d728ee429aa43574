import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { rowsToConversation } from '../../../src/domain/dialects/rows-to-conversation.ts'
import { fallbackSummary, NO_USER } from '../../../src/domain/list/fallback-summary.ts'
import { call, calling, chat, filler, result, rowsOf, says, user } from '../../support/chat-lists.ts'

const writing = (id: string, path: string): { role: string; tool_calls: unknown[] } => ({
  role: 'assistant',
  tool_calls: [call(id, 'write_file', { path, content: 'x' })],
})
const fallback = (rows = rowsOf(chat(12)), previousSummary: string | null = null): string =>
  fallbackSummary({
    conversation: rowsToConversation(rows),
    count: rows.length,
    previousSummary,
    reason: 'every model failed',
  })

describe('fallbackSummary', () => {
  it('has the headings that models are asked for, in their order', () => {
    const titles = (text: string) => text.match(/^## .+$/gm)
    const asked = readFileSync(new URL('../../../prompts/list-summary.md', import.meta.url), 'utf8')
    expect(titles(fallback())).toEqual(titles(asked))
  })

  it('tells the newest ask, what was done, what broke and where, without a model', () => {
    const rows = rowsOf([
      user('fix the parser'),
      says('on it'),
      writing('w', '/src/parser.ts'),
      result('w', 'Error: disk full at /dev/sda1'),
      user('and the tests'),
    ])
    const text = fallback(rows, 'earlier: set up the repo')
    expect(text).toMatch(/^## Historical Task Snapshot\nand the tests\n/)
    for (const fact of [
      'earlier: set up the repo',
      '1. on it',
      'called write_file',
      'Error: disk full at /dev/sda1',
      '- /src/parser.ts',
      'fix the parser',
      'every model failed',
    ])
      expect(text).toContain(fact)
    expect(fallback(rows)).toBe(fallback(rows))
  })

  it('is capped at 8000 characters and never ends in half an emoji', () => {
    const long = rowsOf(
      Array.from({ length: 40 }, (_, n) => [user(`${n} ${'😀'.repeat(900)}`), says(filler(2000))]).flat(),
    )
    const text = fallback(long, filler(9000))
    expect(text.length).toBeLessThanOrEqual(8000)
    expect(text.isWellFormed()).toBe(true)
  })

  it('invents no user', () => {
    expect(fallback(rowsOf([calling('a'), result('a'), user('Continue if you have next steps.')]))).toContain(
      `## Historical Task Snapshot\n${NO_USER}`,
    )
  })
})
