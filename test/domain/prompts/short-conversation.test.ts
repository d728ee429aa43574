import { expect, test } from 'vitest'
import { shortConversation } from '../../../src/domain/prompts/short-conversation.ts'
import { textTokens } from '../../../src/domain/tokens/text-tokens.ts'
import { parseBlocks } from '../../../src/domain/transcript/parse-blocks.ts'

const turn = (n: number, size = 2_000): string =>
  `[User]: please do step ${n}\n\n[Assistant]: did step ${n} ${'x'.repeat(size)}`

test('shortConversation leaves what is short as it is', () => {
  expect(shortConversation(turn(1))).toBe(turn(1))
})

test('shortConversation keeps the asks and the newest tokens, in whole blocks', () => {
  const whole = Array.from({ length: 60 }, (_, n) => turn(n)).join('\n\n')
  const text = shortConversation(whole)
  expect(textTokens(text)).toBeLessThanOrEqual(10_100)
  for (const n of [0, 1, 30, 59]) expect(text).toContain(`please do step ${n}\n`)
  expect(text).toContain('did step 59')
  expect(text).not.toContain('did step 5 ')
  const known = new Set(parseBlocks(whole).map((block) => block.text))
  for (const block of parseBlocks(text)) expect(known.has(block.text)).toBe(true)
})

test('shortConversation keeps the first and the newest of very many asks', () => {
  const text = shortConversation(Array.from({ length: 900 }, (_, n) => turn(n, 60)).join('\n\n'))
  expect(text.startsWith('[User]: please do step 0\n\n')).toBe(true)
  expect(text).not.toContain('please do step 3\n')
  expect(textTokens(text)).toBeLessThanOrEqual(10_100)
})

test('shortConversation takes the end of one giant block, without half a character', () => {
  for (const unit of ['x', '汉', '😀']) {
    const text = shortConversation(`[User]: look\n\n[Assistant]: ${unit.repeat(60_000)} the end`)
    expect(text).toContain('[User]: look\n\n[Assistant]: … ')
    expect(text.endsWith(' the end')).toBe(true)
    expect(textTokens(text)).toBeLessThanOrEqual(8_100)
    expect(text.isWellFormed()).toBe(true)
  }
})
