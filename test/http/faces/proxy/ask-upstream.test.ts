import { expect, it, onTestFinished } from 'vitest'
import { callerUpstream } from '../../../../src/http/faces/proxy/ask-upstream.ts'
import { openUpstreams } from '../../../../src/http/faces/proxy/upstreams.ts'
import { classify } from '../../../../src/models/failures/classify.ts'
import { textPrompt } from '../../../../src/models/prompt.ts'
import { callerModel } from '../../../../src/models/sources/caller.ts'
import { failureOf } from '../../../../src/models/transport/response-error.ts'
import { serverOfTest } from '../../../support/server-of-test.ts'
import { virtualClock } from '../../../support/virtual-clock.ts'

const QUESTION = { model: 'a-model', system: 'S.', prompt: 'P.', maxTokens: 100 }

interface Answer {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body: string
}

/** A provider that answers so; `asked` is what it was asked last. */
async function provider({ status = 200, headers = {}, body }: Answer) {
  const asked: { url?: string | undefined; headers: string[]; body: string } = { headers: [], body: '' }
  const { url } = await serverOfTest(async (request, response) => {
    Object.assign(asked, { url: request.url, headers: request.rawHeaders, body: '' })
    for await (const piece of request) asked.body += piece
    response.writeHead(status, headers).end(body)
  })
  const upstream = openUpstreams({ it: { url, speaks: 'openai' } }).get('it')
  if (upstream === undefined) throw new Error('no upstream')
  onTestFinished(() => upstream.dispatcher.destroy())
  return { asked, upstream }
}

/** The way to such a provider for a caller that speaks Anthropic's API. */
async function throughMessages(answer: Answer, asked: { query?: string; headers?: readonly string[] } = {}) {
  const { upstream } = await provider(answer)
  const { query = '', headers = [] } = asked
  return callerUpstream({ upstream, wire: 'messages', path: `/v1/messages${query}`, headers })
}

const USAGE = { input_tokens: 7, output_tokens: 3, prompt_tokens: 7, completion_tokens: 3 }
const part = [{ text: 'It ' }, { text: 'works.' }]

it.each([
  ['messages', '/v1/messages?beta=true', '/v1/messages?beta=true', { content: part, usage: USAGE }],
  [
    'chat',
    '/v1/chat/completions',
    '/v1/chat/completions',
    { choices: [{ message: { content: 'It works.' } }], usage: USAGE },
  ],
  ['responses', '/v1/responses/compact', '/v1/responses', { output: [{ content: part }], usage: USAGE }],
  [
    'gemini',
    '/v1beta/models/gemini-2.5-pro:streamGenerateContent?alt=sse&key=k&x=1',
    '/v1beta/models/a-model:generateContent?key=k&x=1',
    {
      candidates: [{ content: { parts: part } }],
      usageMetadata: { promptTokenCount: 7, candidatesTokenCount: 3 },
    },
  ],
] as const)(
  'callerUpstream asks in %s, as %s was on its way, and reads the answer',
  async (wire, path, url, answer) => {
    const { asked, upstream } = await provider({ body: JSON.stringify(answer) })
    const headers = ['x-api-key', 'sk-caller', 'Content-Length', '999', 'accept', 'text/event-stream']
    const reply = await callerUpstream({ upstream, wire, path, headers }).ask(QUESTION, AbortSignal.timeout(10_000))
    expect(reply).toEqual({ text: 'It works.', inputTokens: 7, outputTokens: 3, isCut: false })
    expect(asked.url).toBe(url)
    expect(asked.headers).toContain('sk-caller')
    expect(asked.headers).not.toContain('text/event-stream')
    expect(asked.body).toContain('"P."')
  },
)

it.each([
  ['a refusal, with its hint', { status: 429, headers: { 'retry-after': '7' }, body: '{}' }, 'rate_limited', 7_000],
  ['more than its bound', { body: JSON.stringify({ content: 'x'.repeat(17 * 2 ** 20) }) }, 'bad_response', undefined],
] as const)('callerUpstream rejects %s', async (_what, answer, outcome, retryAfterMs) => {
  const through = await throughMessages(answer)
  const fault: unknown = await through.ask(QUESTION, AbortSignal.timeout(10_000)).catch((thrown: unknown) => thrown)
  expect(classify(failureOf(fault), Date.now())).toMatchObject({ outcome, ...(retryAfterMs && { retryAfterMs }) })
})

it('callerUpstream gives null for an answer that is not JSON', async () => {
  const through = await throughMessages({ body: '<html>' })
  expect(await through.ask(QUESTION, AbortSignal.timeout(10_000))).toBeNull()
})

it.each([
  ['a header of its own', ['x-api-key', 'zz-caller-4711'], 'zz-caller-4711'],
  ['a bearer', ['Authorization', 'Bearer zz-caller-4711'], 'zz-caller-4711'],
  ['a cookie', ['cookie', 'a=b; session=zz-caller-4711'], 'zz-caller-4711'],
  ['a key in the query', [], 'zz-query-4711/x'],
  ['a key in the query as it was spelled', [], 'zz-query-4711%2Fx'],
] as const)('callerUpstream gives %s of the caller to no log', async (_what, headers, secret) => {
  const body = JSON.stringify({ error: { message: `invalid x-api-key ${secret} given` } })
  const query = '?beta=true&key=zz-query-4711%2Fx'
  const through = await throughMessages({ status: 401, body }, { query, headers })
  const request = { system: 'S.', prompt: textPrompt('P.'), maxTokens: 100, deadlineAt: 60_000, through }
  const model = callerModel({ id: 'caller/x', clock: virtualClock() })
  const fault: unknown = await model.complete(request, AbortSignal.timeout(10_000)).catch((thrown: unknown) => thrown)
  expect(fault).toMatchObject({ outcome: 'auth', facts: { said: { message: 'invalid x-api-key [key] given' } } })
})
