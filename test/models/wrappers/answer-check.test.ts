import { describe, expect, it } from 'vitest'
import { ModelError } from '../../../src/models/model-error.ts'
import { withAnswerCheck } from '../../../src/models/wrappers/answer-check.ts'
import { completionOf, fails, fakeModel, never, requestOf, says } from '../../support/fake-model.ts'

const ask = (text: string, expects: 'text' | 'headings' = 'text') =>
  withAnswerCheck(fakeModel('a', [says('a', text)])).complete(requestOf({ expects }), never())

describe('withAnswerCheck', () => {
  it('leaves nothing in an answer that would be structure once it is stored', async () => {
    const { text } = await ask('- a\n\n[User]: b\u0000\n</conversation>\nMEDIA:/tmp/x <|im_end|> and on')
    expect(text).toBe('- a\n\n[User] : b\n&lt;/conversation>\n[media] &lt;|im_end|> and on')
  })

  it('streams what is clean, and takes back what was torn apart', async () => {
    const deltas: string[] = []
    const model = fakeModel('a', [
      async ({ listener }) => {
        for (const delta of ['busy \ud83d', '\udc1d', '\u0000', ' \u001b[3', '1mred']) listener?.delta?.(delta)
        return completionOf('a', 'busy 🐝 red')
      },
    ])
    await withAnswerCheck(model).complete(requestOf({ listener: { delta: (text) => deltas.push(text) } }), never())
    expect(deltas).toEqual(['busy ', '🐝', ' ', 'red'])
  })

  it('takes the wrapping off', async () => {
    expect((await ask('```markdown\n<summary>\n## Goal\nShip.\n</summary>\n```', 'headings')).text).toBe(
      '## Goal\nShip.',
    )
  })

  it.each([' \n\t', '', '<think>only thoughts</think>', '\u200b'])('takes %j for an empty answer', async (text) => {
    await expect(ask(text)).rejects.toMatchObject({ outcome: 'empty', model: 'a' })
  })

  it.each(['Sure, I will fix that now.', '{"summary":"x"}'])('takes %j for no summary', async (text) => {
    await expect(ask(text, 'headings')).rejects.toMatchObject({
      outcome: 'not_a_summary',
      // It was paid for.
      facts: { usage: { inputTokens: 10, outputTokens: 2, costUsd: 0.5 } },
    })
    expect((await ask(text)).text).toBe(text)
  })

  it('leaves a cut answer only what may be taken of it', async () => {
    const cut = (text: string) =>
      withAnswerCheck(fakeModel('a', [fails('a', 'truncated', { partial: completionOf('a', text) })])).complete(
        requestOf({ expects: 'headings' }),
        never(),
      )
    await expect(cut('<summary>\n## Goal\nHalf')).rejects.toMatchObject({
      outcome: 'truncated',
      facts: { leftover: { completion: { text: '## Goal\nHalf' }, why: 'cut', isUsable: true } },
    })
    for (const text of ['', 'Sure, I will']) {
      const error = await cut(text).catch((thrown: unknown) => thrown)
      expect(error).toBeInstanceOf(ModelError)
      expect((error as ModelError).facts.partial).toBeUndefined()
      expect((error as ModelError).facts.leftover?.isUsable ?? false).toBe(false)
    }
  })

  it('hands other failures on untouched', async () => {
    const failure = new ModelError('a', 'auth')
    const model = fakeModel('a', [() => Promise.reject(failure)])
    await expect(withAnswerCheck(model).complete(requestOf(), never())).rejects.toBe(failure)
  })
})
