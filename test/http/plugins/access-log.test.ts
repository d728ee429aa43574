import { describe, expect, it } from 'vitest'
import { appOfFile, type LogLine } from '../../support/build-test-app.ts'
import { status } from '../../support/fake-provider.ts'
import { json, type RawRequest, request } from '../../support/raw-http.ts'
import { waitUntil } from '../../support/wait-until.ts'

const served = appOfFile({
  script: ({ body }) => {
    const text = JSON.stringify(body)
    if (text.includes('drip')) return { text: 'An answer that takes long. '.repeat(50), chunkDelayMs: 50 }
    return text.includes('fail') ? status(500) : { text: 'An answer of marmalade.' }
  },
})

let sent = 0
async function lineOf(path: string, more: RawRequest = {}): Promise<LogLine> {
  sent += 1
  const id = `line-${sent}`
  await request(`${served.url}${path}`, {
    method: more.method ?? 'POST',
    ...more,
    headers: { 'x-request-id': id, ...more.headers },
  })
  const lines = served.service.lines.filter(({ reqId, msg }) => reqId === id && msg === 'request')
  expect(lines).toHaveLength(1)
  return lines[0] as LogLine
}

/** Leaves when the provider has sent something. */
async function leave(id: string): Promise<LogLine> {
  const gone = new AbortController()
  const answer = await fetch(`${served.url}/summarize`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-request-id': id, accept: 'text/event-stream' },
    body: JSON.stringify({ systemPrompt: 'S.', prompt: 'drip' }),
    signal: gone.signal,
  })
  await answer.body?.getReader().read()
  gone.abort()
  const isOurs = ({ reqId, msg }: LogLine) => reqId === id && msg === 'request'
  await waitUntil(() => served.service.lines.some(isOurs), 'the line is written')
  return served.service.lines.find(isOurs) as LogLine
}

describe('the line of a request', () => {
  it('whose caller left has the attempt that was broken off, and what that has cost', async () => {
    expect(await leave('line-of-who-left')).toMatchObject({
      status: 499,
      attempts: 1,
      outputTokens: expect.toSatisfy((tokens: number) => tokens > 0),
      upstreamMs: expect.toSatisfy((ms: number) => ms > 0),
    })
  })

  it('has these fields and no other', async () => {
    const line = await lineOf(
      '/summarize?x=violet-otter',
      json(
        { systemPrompt: 'S.', prompt: 'violet-otter' },
        { traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01` },
      ),
    )
    expect(line).toEqual({
      level: 'info',
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      pid: process.pid,
      reqId: expect.any(String),
      method: 'POST',
      route: '/summarize',
      status: 200,
      durationMs: expect.any(Number),
      caller: 'anonymous',
      bodyBytes: Buffer.byteLength(JSON.stringify({ systemPrompt: 'S.', prompt: 'violet-otter' })),
      model: 'alpha/small',
      msg: 'request',
      traceId: 'a'.repeat(32),
      spanId: 'b'.repeat(16),
      clientAddress: '127.0.0.1',
      attempts: 1,
      inputTokens: expect.any(Number),
      outputTokens: expect.any(Number),
      costUsd: 0,
      cache: 'miss',
      queueWaitMs: 0,
      upstreamMs: expect.any(Number),
    })
  })

  it('names the problem and is an error where the fault is not the caller’s', async () => {
    expect(await lineOf('/summarize', json({ prompt: '' }))).toMatchObject({
      level: 'info',
      status: 400,
      code: 'invalid-request',
    })
    expect(await lineOf('/summarize', json({ systemPrompt: 'S.', prompt: 'fail' }))).toMatchObject({
      level: 'error',
      status: 502,
      code: 'models-failed',
    })
  })

  it('is for debugging where nothing was worked on, and tells no address', async () => {
    expect(await lineOf('/livez', { method: 'GET' })).toMatchObject({ level: 'debug', route: '/livez', status: 200 })
    expect(await lineOf('/k/rk_private/problems/internal?key=private', { method: 'GET' })).toMatchObject({
      level: 'debug',
      route: '/problems/:code',
    })
    expect(await lineOf('/nowhere/private', { method: 'GET' })).toMatchObject({
      level: 'debug',
      route: 'unknown',
      status: 404,
      code: 'not-found',
    })
    expect(JSON.stringify(served.service.lines)).not.toContain('private')
  })

  it('holds no word of a conversation, of an answer or of a body that could not be read', async () => {
    await lineOf('/summarize', { body: '{"prompt": "violet-otter"', headers: { 'content-type': 'application/json' } })
    await lineOf('/summarize', json({ systemPrompt: 'violet-otter', prompt: 7, model: 'violet-otter' }))
    await lineOf('/v1/chat/completions', json({ messages: [{ role: 'user', content: 'violet-otter fail' }] }))
    await lineOf('/summarize', json({ systemPrompt: 'S.', prompt: 'P.', model: 'violet-otter' }))
    const text = JSON.stringify(served.service.lines)
    for (const word of ['violet-otter', 'marmalade']) expect(text).not.toContain(word)
  })
})
