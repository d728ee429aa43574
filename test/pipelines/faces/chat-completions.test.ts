import { describe, expect, it } from 'vitest'
import { chatCompletions } from '../../../src/pipelines/faces/chat-completions.ts'
import { chatCompletionRequest, chatCompletionResult } from '../../../src/pipelines/faces/chat-completions-schema.ts'
import { parseRequest } from '../../../src/requests/parse-request.ts'
import { CONTEXT, NOW_MS, pipelineWorld, type Reply } from '../../support/pipeline-world.ts'

function stage(reply: Reply = () => 'Fine.') {
  const world = pipelineWorld({ reply })
  const run = (body: object) =>
    chatCompletions(
      { request: parseRequest(chatCompletionRequest, body), context: CONTEXT, deps: world.deps },
      new AbortController().signal,
    )
  return { ...world, run }
}

const user = (content: unknown) => ({ role: 'user', content })

describe('chatCompletions: what the model is asked', () => {
  it('is one system and one user text as they came', async () => {
    const { run, asked } = stage()
    await run({ messages: [{ role: 'system', content: 'S.' }, user('P.')], max_tokens: 77 })
    expect(asked[0]).toMatchObject({ system: 'S.', prompt: 'P.', maxTokens: 77 })
  })

  it('is the same where they came in text parts', async () => {
    const { run, asked } = stage()
    await run({
      messages: [
        {
          role: 'developer',
          content: [
            { type: 'text', text: 'S' },
            { type: 'text', text: '.' },
          ],
        },
        user([
          { type: 'text', text: 'P' },
          { type: 'image_url', image_url: { url: 'data:,' } },
          { type: 'text', text: '.' },
        ]),
      ],
    })
    expect(asked[0]).toMatchObject({ system: 'S.', prompt: 'P.' })
  })

  it('is a longer exchange told like a list, under our own prompt where nobody asks for a summary', async () => {
    const { run, asked } = stage()
    await run({
      messages: [
        { role: 'system', content: 'One.' },
        user('Ask.'),
        { role: 'assistant', content: null },
        { role: 'assistant', content: 'Answer.' },
        { role: 'tool', content: 'Result.' },
        { role: 'system', content: 'Two.' },
        { role: 'critic', content: 'Other.' },
      ],
    })
    expect(asked[0]?.prompt).toContain(
      '<conversation>\n[User]: Ask.\n\n[Assistant]: Answer.\n\n[Tool result]: Result.\n\n[System notice]: Two.\n\n[System notice]: CRITIC: Other.\n</conversation>\n\n',
    )
  })

  it('is a longer exchange with the request at its end behind the conversation', async () => {
    const { run, asked } = stage()
    const request = 'Please provide a concise summary of our conversation so far.'
    await run({ messages: [user('Ask.'), { role: 'assistant', content: 'Answer.' }, user(request)] })
    expect(asked[0]).toMatchObject({
      prompt: `<conversation>\n[User]: Ask.\n\n[Assistant]: Answer.\n</conversation>\n\n${request}`,
      expects: 'text',
    })
  })

  it('is the system text with the request behind it where that text holds the conversation', async () => {
    const { run, asked } = stage()
    const system = '**Conversation History:**\n[user]: port it\n[assistant]: done\n\nUse this format:\n\n## Goal'
    await run({ messages: [{ role: 'system', content: system }, user('Please summarize the conversation history.')] })
    expect(asked[0]).toMatchObject({ prompt: `${system}\n\nPlease summarize the conversation history.` })
  })

  it.each([
    [{ max_completion_tokens: 5, max_tokens: 9 }, 5],
    [{ max_completion_tokens: null, max_tokens: 9 }, 9],
    [{ max_tokens: null }, 16_384],
    [{}, 16_384],
  ])('has the cap of %j', async (more, maxTokens) => {
    const { run, asked } = stage()
    await run({ messages: [user('P.')], ...more })
    expect(asked[0]?.maxTokens).toBe(maxTokens)
  })

  it.each([
    ['alpha/small', { model: 'alpha/small' }],
    ['gpt-5', {}],
    ['', {}],
  ])('goes to the model %j where that is configured, else to the default chain', async (model, selection) => {
    const { run, asked } = stage()
    await run({ model, messages: [user('P.')] })
    expect(asked[0]?.selection).toEqual({ ...selection, throughCaller: false })
  })
})

describe('chatCompletions: what comes back', () => {
  it('is a completion in the shape of its schema', async () => {
    const { run } = stage()
    const { cache, ...result } = await run({ messages: [user('P.')] })
    expect(cache).toBeUndefined()
    expect(chatCompletionResult.strict().parse(result)).toEqual({
      id: 'chatcmpl-request-1',
      object: 'chat.completion',
      created: NOW_MS / 1000,
      model: 'alpha/small',
      choices: [
        {
          index: 0,
          message: { role: 'assistant', content: 'Fine.', refusal: null },
          finish_reason: 'stop',
          logprobs: null,
        },
      ],
      usage: { prompt_tokens: 10, completion_tokens: 2, total_tokens: 12 },
    })
  })

  it.each([[[]], [[{ role: 'system', content: 'S.' }]], [[user(''), user(null), user([])]]])(
    'is refused where nobody says anything: %j',
    async (messages) => {
      const run = async () => stage().run({ messages })
      await expect(run()).rejects.toMatchObject({
        code: 'invalid-request',
        extras: { errors: [{ path: '/messages' }] },
      })
    },
  )
})
