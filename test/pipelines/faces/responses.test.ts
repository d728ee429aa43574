import { describe, expect, it } from 'vitest'
import { messages } from '../../../src/pipelines/faces/messages.ts'
import { messagesRequest } from '../../../src/pipelines/faces/messages-schema.ts'
import { responses, responsesCompact } from '../../../src/pipelines/faces/responses.ts'
import { responsesCompactRequest, responsesRequest } from '../../../src/pipelines/faces/responses-schema.ts'
import { parseRequest } from '../../../src/requests/parse-request.ts'
import { CONTEXT, pipelineWorld } from '../../support/pipeline-world.ts'

const said = (role: string, text: string) => ({ type: 'message', role, content: text })
const DONE = [said('user', 'Rename the queue.'), said('assistant', 'The queue is renamed.')]
const SUMMARY = 'The queue is renamed, as the user asked: Rename the queue.'

function stage() {
  const world = pipelineWorld({ reply: () => SUMMARY })
  const { signal } = new AbortController()
  const call = <Request>(request: Request) => ({ request, context: CONTEXT, deps: world.deps })
  return {
    ...world,
    compact: (body: object) => responsesCompact(call(parseRequest(responsesCompactRequest, body)), signal),
    respond: (body: object) => responses(call(parseRequest(responsesRequest, body)), signal),
    message: (body: object) => messages(call(parseRequest(messagesRequest, body)), signal),
  }
}

describe('responsesCompact: instructions', () => {
  it('reach the model as what the summary shall mind', async () => {
    const { compact, asked } = stage()
    await compact({ input: DONE, instructions: 'Keep every port number.' })
    expect(asked[0]?.prompt).toContain('Keep every port number.')
    expect(asked[0]?.prompt.split('</conversation>')[0]).not.toContain('port number')
  })

  it('as long as an agent’s own system prompt are looked past', async () => {
    const { compact, asked } = stage()
    await compact({ input: DONE, instructions: `You are a coding agent. ${'Mind the style. '.repeat(200)}` })
    expect(asked[0]?.prompt).not.toContain('Mind the style.')
  })
})

describe('responses: a trigger with nothing to summarize', () => {
  it.each([
    ['the asks', [said('user', 'Rename the queue.')], 'Rename the queue.'],
    ['that nothing was said', [said('developer', 'You are an agent.')], 'Nothing was asked or done yet.'],
    ['that nothing was said, where there is the trigger alone', [], 'Nothing was asked or done yet.'],
  ])('is one item that holds %s; nobody is asked', async (_what, rows, wanted) => {
    const { respond, asked, deps } = stage()
    const { output } = await respond({ input: [...rows, { type: 'compaction_trigger' }] })
    expect(output).toMatchObject([{ type: 'compaction' }])
    const [item] = output as readonly { readonly encrypted_content?: unknown }[]
    expect(deps.items.open(String(item?.encrypted_content))).toContain(wanted)
    expect(asked).toEqual([])
  })
})

describe('a row that nobody can read is pointed at where the caller sent it', () => {
  const odd = { role: 'user', parts: [{ text: 'of another dialect' }] }

  it.each([
    ['responsesCompact', '/input/3', () => stage().compact({ input: [said('developer', 'D.'), ...DONE, odd] })],
    ['responses', '/input/2', () => stage().respond({ input: [...DONE, odd] })],
    [
      'messages',
      '/messages/1',
      () =>
        stage().message({
          max_tokens: 9,
          messages: [
            { role: 'user', content: 'a' },
            { role: 'bogus', content: [{ type: 'weird' }] },
          ],
        }),
    ],
  ])('%s: %s', async (_face, path, run) => {
    await expect(run()).rejects.toMatchObject({ code: 'invalid-request', extras: { errors: [{ path }] } })
  })
})
