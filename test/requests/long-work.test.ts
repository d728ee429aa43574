import { describe, expect, it } from 'vitest'
import type { WorkCall } from '../../src/requests/call.ts'
import { readShortWork, SHORT_PROMPT_BYTES, SHORT_WORK_BYTES } from '../../src/requests/long-work.ts'
import { CONTEXT } from '../support/pipeline-world.ts'

const callOf = (body: string, endpoint: WorkCall['endpoint'] = 'summarize'): WorkCall => ({
  endpoint,
  mediaType: 'json',
  bytes: Buffer.from(body),
  query: {},
  context: CONTEXT,
})
const promptOf = (text: string) => JSON.stringify({ systemPrompt: 'S.', prompt: text })
const filled = (text: string, bytes: number) => `${text}${'the worker retries [1] <b>. '.repeat(bytes / 28)}`

describe('readShortWork', () => {
  it.each([
    ['a short conversation', promptOf(filled('[User]: a\n\n[Assistant]: b\n\n', SHORT_WORK_BYTES - 500)), true],
    ['a long one', promptOf(filled('[User]: a\n\n[Assistant]: b\n\n', SHORT_WORK_BYTES + 500)), false],
    ['a long one in tags', promptOf(`<conversation>\n${filled('', SHORT_WORK_BYTES)}\n</conversation>`), false],
    ['a long one whose labels are plain', promptOf(filled('User: a\nAssistant: b\n', SHORT_WORK_BYTES)), false],
    [
      'a long one, spelled oddly',
      promptOf(filled('', SHORT_WORK_BYTES)).replace('the', '\\u003cconversation>\\n[User]: a\\n</conversation>'),
      false,
    ],
    ['a long prompt that holds none', promptOf(filled('', SHORT_PROMPT_BYTES - 500)), true],
    ['a longer one', promptOf(filled('', SHORT_PROMPT_BYTES + 500)), false],
    ['a long prompt that is no text', JSON.stringify({ prompt: ['a'.repeat(SHORT_WORK_BYTES)] }), false],
  ])('of %s', (_, body, isRead) => {
    const read = readShortWork(callOf(body))
    const sent = JSON.parse(body)
    // Of a prompt that goes out as it was spelled the body has only that it is not empty.
    const prompt = read?.plainPrompt === undefined ? sent.prompt : '.'
    if (isRead) expect(read?.body).toEqual({ ...sent, prompt })
    else expect(read).toBeUndefined()
  })

  it('leaves the long bodies of other endpoints to a thread', () => {
    expect(readShortWork(callOf(promptOf(filled('', SHORT_WORK_BYTES)), 'compact'))).toBeUndefined()
  })

  it('says of a long prompt that it was looked through, so that nobody looks again', () => {
    expect(readShortWork(callOf(promptOf('Short.')))?.plainPrompt).toBeUndefined()
    for (const prompt of [filled('', SHORT_WORK_BYTES / 8), filled('', SHORT_WORK_BYTES)]) {
      const spelled = readShortWork(callOf(promptOf(prompt)))?.plainPrompt
      expect(JSON.parse(Buffer.from(spelled ?? []).toString())).toBe(prompt)
    }
  })

  it('refuses what is not JSON at once', () => {
    const broken = callOf(promptOf(filled('', SHORT_WORK_BYTES)).slice(0, -1))
    expect(() => readShortWork(broken)).toThrow('not valid JSON')
    // What is wrong inside the prompt is found where its text is made.
    expect(readShortWork(callOf(promptOf(filled('', SHORT_WORK_BYTES)).slice(0, -2)))).toBeUndefined()
  })
})
