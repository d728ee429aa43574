import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import zlib from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { appOfTest } from '../../../support/build-test-app.ts'
import { waitUntil } from '../../../support/wait-until.ts'

interface Seen {
  readonly method: string
  readonly url: string
  readonly raw: readonly string[]
  readonly body: string
  readonly bytes: Buffer
}

const SUMMARY = '## Goal\n- port src/auth.ts\n\n## Progress\n- edited src/auth.ts\n\n## Next Steps\n- fix the tests'
const SECTIONS = [
  ['## Historical Task Snapshot', 'Port src/auth.ts to jose.'],
  ['## Goal', 'Keep the public API as it is.'],
  ['## Constraints & Preferences', 'The import was replaced in src/auth.ts.'],
  ['## Completed Actions', 'Nothing is in the way.'],
  ['## Active State', 'jose was chosen instead of jsonwebtoken.'],
  ['## Historical In-Progress', 'Newest request: Fix the tests.'],
  ['## Blocked', 'The branch is main.'],
  ['## Key Decisions', 'Run the tests of the login next.'],
  ['## Resolved Questions', 'The port of the service is 8484.'],
  ['## Historical Pending Asks', 'Ask about the key file.'],
  ['## Relevant Files', 'src/auth.ts'],
  ['## Historical Remaining Work', 'No command failed.'],
  ['## Critical Context', 'The login uses RS256.'],
] as const
const full = SECTIONS.map(([heading, line]) => `${heading}\n- ${line}`).join('\n\n')

let seen: Seen[]
let upstream: ReturnType<typeof createServer>
let url: string
let answer: { status: number; body: string; headers?: Record<string, string> }

const read = async (request: IncomingMessage) => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

beforeEach(async () => {
  seen = []
  answer = { status: 200, body: '{"provider":"answered"}' }
  upstream = createServer(async (request, response) => {
    const bytes = await read(request)
    const body = bytes.toString('utf8')
    seen.push({ method: request.method ?? '', url: request.url ?? '', raw: request.rawHeaders, body, bytes })
    response.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers }).end(answer.body)
  })
  await new Promise<void>((listening) => upstream.listen(0, '127.0.0.1', listening))
  url = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`
})
afterEach(() => {
  upstream.closeAllConnections()
  upstream.close()
})

const proxies = () => ({
  anthropic: { url, speaks: 'anthropic' },
  openai: { url: `${url}/base`, speaks: 'openai' },
  gemini: { url, speaks: 'gemini' },
})

async function stage(
  options: {
    readonly text?: string
    readonly status?: number
    readonly candidates?: string[]
    readonly server?: object
    readonly auth?: object
  } = {},
) {
  const { text = full, status, candidates, server = {}, auth = {} } = options
  const service = await appOfTest({
    script: [status === undefined ? { text } : { status }],
    config: {
      proxy: proxies(),
      server,
      auth,
      ...(candidates === undefined ? {} : { candidates }),
      retry: { maxAttempts: 1 },
    },
  })
  const base = await service.listen()
  const send = (path: string, body: unknown, headers: Record<string, string> = {}) =>
    fetch(`${base}/proxy${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: typeof body === 'string' || body instanceof Uint8Array ? new Blob([body]) : JSON.stringify(body),
    })
  return { ...service, base, send }
}

const CLAUDE =
  'CRITICAL: Respond with TEXT ONLY. Do NOT call any tools.\n\nYour task is to create a detailed summary of the conversation so far.'
const claudeCall = {
  model: 'claude-opus-4-8',
  max_tokens: 64_000,
  stream: true,
  system: [{ type: 'text', text: 'You are an agent.' }],
  tools: [{ name: 'Edit' }],
  messages: [
    { role: 'user', content: 'Port src/auth.ts to jose.' },
    { role: 'assistant', content: [{ type: 'text', text: 'Ported it.' }] },
    {
      role: 'user',
      content: [
        { type: 'text', text: 'Fix the tests.' },
        { type: 'text', text: CLAUDE },
      ],
    },
  ],
}

const geminiCall = {
  systemInstruction: {
    parts: [
      { text: 'You are a specialized system component responsible for distilling chat history into a snapshot.' },
    ],
  },
  contents: [
    { role: 'user', parts: [{ text: 'Port src/auth.ts to jose.' }] },
    { role: 'model', parts: [{ text: 'Ported it.' }] },
    {
      role: 'user',
      parts: [{ text: 'First, reason in your scratchpad. Then, generate the updated <state_snapshot>.' }],
    },
  ],
}

describe('/proxy hands on', () => {
  it('bodies byte for byte, and answers whatever their status', async () => {
    const { send } = await stage()
    answer = { status: 429, body: '{"type":"error"}', headers: { 'retry-after': '7' } }
    const odd = '{ "a" :1, "a": 2, "n": 12345678901234567890.10 }  \n'
    const response = await send('/anthropic/v1/messages?beta=true', odd, { 'x-api-key': 'sk-caller' })
    expect([response.status, await response.text()]).toEqual([429, '{"type":"error"}'])
    expect([response.headers.get('retry-after'), response.headers.get('x-recapd')]).toEqual(['7', 'pass'])
    expect(seen).toMatchObject([{ method: 'POST', url: '/v1/messages?beta=true', body: odd }])
    expect(seen[0]?.raw).toContain('sk-caller')
  })

  it('no key of ours, neither the one that opened the door nor another one', async () => {
    const sha256 = (key: string) => createHash('sha256').update(key).digest('hex')
    const keys = ['one', 'two'].map((name) => ({ name, sha256: sha256(`rk_${name}`) }))
    const { base } = await stage({ auth: { keys } })
    const headers = { 'x-api-key': 'rk_two', authorization: 'Bearer sk-caller' }
    await fetch(`${base}/k/rk_one/proxy/anthropic/v1/models`, { headers })
    await fetch(`${base}/proxy/anthropic/v1/models`, {
      headers: { 'x-api-key': 'sk-caller', authorization: 'Bearer rk_one' },
    })
    expect(seen.flatMap(({ raw }) => raw.filter((text) => text.includes('rk_')))).toEqual([])
    expect(seen.map(({ raw }) => raw.some((text) => text.endsWith('sk-caller')))).toEqual([true, true])
  })

  it('nothing to names nobody configured, nor out of the path', async () => {
    const { send } = await stage()
    expect((await send('/nobody/v1', {})).status).toBe(404)
    expect((await send('/__proto__/v1', {})).status).toBe(404)
    expect((await send('/openai/..%2f..%2fsecret', {})).status).toBe(400)
    expect(seen).toEqual([])
  })

  it('an ordinary turn, and a quotation of the words of a compaction call', async () => {
    const { send, provider } = await stage()
    const turn = { ...claudeCall, messages: claudeCall.messages.slice(0, 2) }
    const quoted = { ...claudeCall, messages: [{ role: 'user', content: `What is this?\n${CLAUDE}` }] }
    for (const body of [turn, quoted])
      expect((await send('/anthropic/v1/messages', body)).headers.get('x-recapd')).toBe('pass')
    expect(seen.map(({ body }) => body)).toEqual([JSON.stringify(turn), JSON.stringify(quoted)])
    expect(provider.requests).toHaveLength(0)
  })
})

describe('/proxy answers', () => {
  it('a compaction call by our own chain, in the shape the agent waits for', async () => {
    const { send, provider, metrics } = await stage()
    const response = await send('/anthropic/v1/messages', claudeCall, { 'user-agent': 'claude-cli/2' })
    const text = await response.text()
    expect(response.headers.get('x-recapd')).toBe('summary')
    expect(text).toContain('event: message_start')
    expect(text).toContain('<summary>')
    expect(seen).toEqual([])
    expect(provider.requests[0]?.text).not.toContain('CRITICAL: Respond with TEXT ONLY')
    expect(await metrics.registry.metrics()).toContain(
      'recapd_proxy_requests_total{agent="claude-code",kind="summary"} 1',
    )
  })

  it.each([
    ['gzip', zlib.gzipSync],
    ['deflate', zlib.deflateSync],
    ['br', zlib.brotliCompressSync],
    ['zstd', zlib.zstdCompressSync],
  ] as const)('one that is compressed with %s, and gives back what it held of it', async (coding, pack) => {
    const { send, metrics } = await stage()
    const packed = pack(JSON.stringify(claudeCall))
    const response = await send('/anthropic/v1/messages', packed, { 'content-encoding': coding })
    expect([response.headers.get('x-recapd'), await response.text()]).toEqual([
      'summary',
      expect.stringContaining('<summary>'),
    ])
    const held = () => metrics.registry.getSingleMetricAsString('recapd_inflight_body_bytes')
    await waitUntil(async () => (await held()).endsWith(' 0'), 'all is given back')
  })

  it.each([
    ['for whose plain bytes there is no room', { maxInflightBytes: 1_048_576 }, 4],
    ['that is a bomb', { bodyLimitBytes: 1_048_576 }, 64],
  ])('none %s: it goes on as it came', async (_what, server, mebibytes) => {
    const { send, provider } = await stage({ server })
    const packed = zlib.gzipSync(JSON.stringify({ ...claudeCall, padding: 'x'.repeat(mebibytes * 1_048_576) }))
    const response = await send('/anthropic/v1/messages', packed, { 'content-encoding': 'gzip' })
    expect([response.headers.get('x-recapd'), provider.requests.length]).toEqual(['pass', 0])
    expect(seen[0]?.bytes).toEqual(packed)
  })

  it.each([
    ['alt=sse', 'text/event-stream; charset=utf-8', /^data: \{"candidates"/],
    ['', 'application/json; charset=utf-8', /^\[\{"candidates"/],
  ])('a stream of Gemini’s with the query %j as Gemini writes it', async (query, type, form) => {
    const { send } = await stage({ text: `<state_snapshot>\n${full}\n</state_snapshot>` })
    const response = await send(`/gemini/v1beta/models/gemini-2.5-pro:streamGenerateContent?${query}`, geminiCall)
    expect([response.headers.get('x-recapd'), response.headers.get('content-type')]).toEqual(['summary', type])
    expect(await response.text()).toMatch(form)
  })

  it.each([
    ['short', 1],
    ['long, which a thread works on', 100_000],
  ])('Gemini’s review of our own snapshot by the same one again, where the call is %s', async (_size, padding) => {
    const { send, provider } = await stage({ candidates: ['caller/cheap'] })
    const review = {
      ...geminiCall,
      contents: [
        ...geminiCall.contents,
        { role: 'model', parts: [{ text: `<state_snapshot>\n${full}\n</state_snapshot>` }] },
        { role: 'user', parts: [{ text: 'Critically evaluate the <state_snapshot> you just generated.' }] },
      ],
      padding: 'x'.repeat(padding),
    }
    const response = await send('/gemini/v1beta/models/gemini-2.5-pro:generateContent', review)
    expect([response.headers.get('x-recapd'), provider.requests.length, seen.length]).toEqual(['summary', 0, 0])
    expect(await response.text()).toContain(JSON.stringify(full.trim()).slice(1, -1))
  })

  it('nothing where our chain fails: the request goes on as it came', async () => {
    const { send, provider, lines } = await stage({ status: 500 })
    const response = await send('/anthropic/v1/messages', claudeCall)
    expect([response.headers.get('x-recapd'), await response.text()]).toEqual(['pass', '{"provider":"answered"}'])
    expect(provider.requests.length).toBeGreaterThan(0)
    expect(seen[0]?.body).toBe(JSON.stringify(claudeCall))
    expect(lines.some(({ level, msg }) => level === 'warn' && /goes on to the provider/.test(msg))).toBe(true)
  })

  it('nothing where no answer is a summary', async () => {
    const { send } = await stage({ text: 'I will now go on with the task.' })
    expect((await send('/anthropic/v1/messages', claudeCall)).headers.get('x-recapd')).toBe('pass')
  })

  it('with the caller’s own provider and credentials where a candidate says so', async () => {
    const { send, provider } = await stage({ candidates: ['caller/claude-haiku-4-5', 'alpha/small'] })
    answer = { status: 200, body: JSON.stringify({ content: [{ type: 'text', text: full }], stop_reason: 'end_turn' }) }
    const response = await send('/anthropic/v1/messages', claudeCall, { 'x-api-key': 'sk-caller' })
    expect(response.headers.get('x-recapd')).toBe('summary')
    expect(provider.requests).toHaveLength(0)
    expect(JSON.parse(seen[0]?.body ?? '{}')).toMatchObject({ model: 'claude-haiku-4-5' })
    expect(seen[0]?.raw).toContain('sk-caller')
  })
})

it('a candidate of the caller answers nobody who came to us', async () => {
  const { base, provider } = await stage({ candidates: ['caller/claude-haiku-4-5', 'alpha/small'], text: SUMMARY })
  const response = await fetch(`${base}/summarize`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ systemPrompt: 's', prompt: 'p' }),
  })
  expect(await response.json()).toMatchObject({ model: 'alpha/small' })
  expect(provider.requests).toHaveLength(1)
  expect(seen).toEqual([])
})

it('our own compaction item is opened on its way to a provider that could not', async () => {
  const { base, send } = await stage({ text: full })
  const input = [
    { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Port src/auth.ts.' }] },
    { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Ported it.' }] },
  ]
  const compacted = await fetch(`${base}/v1/responses/compact`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'x', input }),
  })
  const { output } = (await compacted.json()) as { output: { type: string }[] }
  const item = output.find(({ type }) => type === 'compaction')
  const response = await send('/openai/v1/responses', { model: 'x', input: [input[0], item], store: false })
  expect(response.headers.get('x-recapd')).toBe('pass')
  const got = JSON.parse(seen[0]?.body ?? '{}')
  expect([got.input[0], got.store, got.input[1].role]).toEqual([input[0], false, 'user'])
  expect(JSON.stringify(got.input[1])).toContain('Port src/auth.ts to jose')
  expect(seen[0]?.body).not.toContain('recapd1.')
})
