import { describe, expect, it } from 'vitest'
import { dropEmptyAnswers, EMPTY_ANSWER, pairsHold, sanitizePairs } from '../../../src/domain/dialects/pairs.ts'
import type { ChatMessage } from '../../../src/domain/tokens/chat-tokens.ts'
import { call, calling, result, rowsOf, says, user } from '../../support/chat-lists.ts'
import { vectors } from '../../support/chat-vectors.ts'

const mended = (messages: readonly ChatMessage[]): ChatMessage[] =>
  sanitizePairs(rowsOf(messages)).rows.map((row) => row.message)
const repairs = (messages: readonly ChatMessage[]): unknown[] =>
  sanitizePairs(rowsOf(messages)).repaired.map(({ index, what }) => [index, what])

describe('sanitizePairs', () => {
  it.each(vectors<{ readonly input: ChatMessage[]; readonly output: ChatMessage[] }>('pairs'))(
    'mends $input',
    ({ input, output }) => {
      const wanted = output.map((message) =>
        message.content === '<placeholder>' ? { ...message, content: EMPTY_ANSWER } : message,
      )
      expect(mended(input)).toEqual(wanted)
      expect(pairsHold(rowsOf(mended(input)))).toBe(true)
    },
  )

  it('gives a whole list back as the same object', () => {
    const rows = rowsOf([user('go'), calling('a', 'b'), result('b'), result('a'), says('done')])
    expect(sanitizePairs(rows)).toEqual({ rows, repaired: [] })
    expect(sanitizePairs(rows).rows).toBe(rows)
  })

  it('#51218 takes the call without a result off, and the whole key with the last one', () => {
    expect(mended([calling('a', 'b'), result('a')])[0]?.tool_calls).toEqual([call('a')])
    expect(mended([{ ...calling('a'), content: 'text' }, user('next')])[0]).toEqual({
      role: 'assistant',
      content: 'text',
    })
  })

  it('#9999 #55845 matches padded ids and returns them as they came', () => {
    const list = [calling(' x'), result('x ', 'r')]
    expect(mended(list)).toEqual(list)
  })

  it('keeps the first of two results, wherever the second stands (docs/bug-log.md B004)', () => {
    const list = [calling('a'), result('a', 'first'), user('hm'), result('a', 'second')]
    expect(mended(list)).toEqual([list[0], list[1], list[2]])
    expect(repairs(list)).toEqual([[3, 'duplicate-result-removed']])
  })

  it('moves a late result right behind its call', () => {
    const list = [calling('a'), user('hm'), result('a')]
    expect(mended(list)).toEqual([list[0], list[2], list[1]])
    expect(repairs(list)).toEqual([[2, 'result-moved-behind-its-call']])
  })

  it('a result before its call is an orphan, and so is its call', () => {
    expect(repairs([result('a'), calling('a')])).toEqual([
      [0, 'orphan-result-removed'],
      [1, 'call-without-result-removed'],
    ])
  })

  it('takes ids that come again in later turns for new calls', () => {
    const list = [calling('call_0'), result('call_0', 'one'), user('more'), calling('call_0'), result('call_0', 'two')]
    expect(mended(list)).toEqual(list)
  })

  it('an interrupted batch keeps what was answered (docs/bug-log.md B009, B020)', () => {
    const { rows } = sanitizePairs(rowsOf([calling('a', 'b', 'c'), result('c'), result('a'), user('stop')]))
    expect(rows.map((row) => row.message.tool_call_id ?? row.message.role)).toEqual(['assistant', 'c', 'a', 'user'])
    expect(rows[0]?.lost?.map((lost) => lost.id)).toEqual(['b'])
  })

  it('an old-style function result stays with its call and goes without it', () => {
    const asked = { role: 'assistant', content: null, function_call: { name: 'f', arguments: '{}' } }
    const answered = { role: 'function', name: 'f', content: 'r' }
    expect(mended([asked, answered])).toEqual([asked, answered])
    expect(mended([user('x'), answered])).toEqual([user('x')])
  })
})

describe('dropEmptyAnswers', () => {
  it.each([
    ['no content', { role: 'assistant' }],
    ['blank text', says('  ')],
    ['empty parts', says([{ type: 'text', text: '' }])],
    ['thoughts alone', { role: 'assistant', content: '', reasoning_content: 'hm' }],
    ['empty calls', { role: 'assistant', content: null, tool_calls: [] }],
  ])('drops an answer of %s (docs/bug-log.md B126)', (_name, message) => {
    expect(dropEmptyAnswers(rowsOf([message])).rows).toEqual([])
  })

  it.each([
    ['calls', calling('a')],
    ['an image', says([{ type: 'image_url' }])],
  ])('keeps an answer of %s', (_name, message) => {
    const rows = rowsOf([message])
    expect(dropEmptyAnswers(rows).rows).toBe(rows)
  })
})
