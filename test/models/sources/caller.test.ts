import { expect, it } from 'vitest'
import type { CallerReply } from '../../../src/models/caller-upstream.ts'
import type { CompletionRequest } from '../../../src/models/model.ts'
import { textPrompt } from '../../../src/models/prompt.ts'
import { callerModel } from '../../../src/models/sources/caller.ts'
import { virtualClock } from '../../support/virtual-clock.ts'

const asked = (reply: CallerReply | null, maxTokens = 100) => {
  const request: CompletionRequest = {
    system: 'S.',
    prompt: textPrompt('P.'),
    maxTokens,
    deadlineAt: 60_000,
    through: { secrets: [], ask: async () => reply },
  }
  return callerModel({ id: 'caller/x', clock: virtualClock() }).complete(request, new AbortController().signal)
}
const reply = { text: 'It works.', inputTokens: 7, outputTokens: 3, isCut: false }

it('callerModel answers with what the provider of the caller said, and counts what it counted', async () => {
  expect(await asked(reply)).toMatchObject({
    text: 'It works.',
    usage: { inputTokens: 7, outputTokens: 3, costUsd: 0 },
  })
})

it.each([
  ['nobody can read', null, 'bad_response'],
  ['is longer than its bound', { ...reply, text: 'x'.repeat(65_537) }, 'bad_response'],
  ['was cut', { ...reply, isCut: true }, 'truncated'],
  ['is blank', { ...reply, text: ' ' }, 'empty'],
] as const)('callerModel fails where the answer %s', async (_what, given, outcome) => {
  await expect(asked(given)).rejects.toMatchObject({ outcome })
})

it('callerModel lets a long answer through where as much was asked for', async () => {
  const text = 'x '.repeat(40_000)
  expect((await asked({ ...reply, text }, 4_000)).text).toBe(text)
})
