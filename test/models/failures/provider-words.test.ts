import { expect, it } from 'vitest'
import { providerWords } from '../../../src/models/failures/provider-words.ts'
import { textPrompt } from '../../../src/models/prompt.ts'

const PROMPT = 'A long talk about the cormorant contract, signed by the northern harbor office; heron.'
const request = { system: 'You summarize.', prompt: textPrompt(PROMPT) }
const messageOf = (message: string, key = 'alpha-key-1') =>
  providerWords({ status: 400, body: { error: { message, code: 'c1', type: 't1' } } }, { keys: [key], request }).message

it('providerWords gives code, type, message and the id of the provider', () => {
  const headers = { get: (name: string) => (name === 'x-request-id' ? 'req-4711' : null) }
  const body = { error: { message: 'The shard is busy', type: 'shard_type', code: 'shard_code' } }
  expect(providerWords({ status: 500, headers, body }, { keys: [], request })).toEqual({
    code: 'shard_code',
    type: 'shard_type',
    message: 'The shard is busy',
    requestId: 'req-4711',
  })
})

it.each([
  ['the key that was used', 'Key alpha-key-1 is odd', 'Key [key] is odd'],
  ['the form of a key', 'Key sk-proj-8Vq2mXw4LrT9zKd7YbN3sPf6 is odd', 'Key [REDACTED] is odd'],
  ['a quote of the prompt', `Bad: ${PROMPT.slice(20, 70)}! Sorry`, 'Bad: …! Sorry'],
  ['a short quote in quotes', 'Bad word "heron" here', 'Bad word "…" here'],
  ['control characters', 'one\u0000\u001b[31m two\n three', 'one two three'],
])('providerWords takes out %s', (_what, said, expected) => {
  expect(messageOf(said)?.replaceAll('\uFFFD', '')).toBe(expected)
})

it('providerWords shows no half of a key that stands where the message is cut', () => {
  const words = Array.from({ length: 26 }, (_, at) => `word${String.fromCharCode(97 + at)}`).join(' ')
  for (let before = 170; before < 210; before += 1) {
    expect(messageOf(`${words.repeat(3).slice(0, before)} alpha-key-1`)).not.toMatch(/alpha/)
  }
})

it('providerWords is one short line', () => {
  expect(messageOf('z'.repeat(5_000))).toHaveLength(200)
})

it('providerWords leaves the words of the protocol alone', () => {
  const said = "Unknown parameter: 'reasoning.summary'."
  expect(messageOf(said)).toBe(said)
})
