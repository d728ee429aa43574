import { describe, expect, it } from 'vitest'
import { webModule } from '../../../support/web-module.ts'

type Row = Record<string, unknown>
interface Request {
  readonly path: string
  readonly contentType: string
  readonly body: string
  readonly streams: boolean
  readonly file: string
  readonly fault?: { readonly message: string; readonly field: string }
}

const { buildRequest } = await webModule<{
  buildRequest(input: { endpoint: string; source: Row; values: Row }): Request
}>('playground/request/build-request.js')
const { curlCommand } = await webModule<{
  curlCommand(input: { origin: string; request: Request; hasKey: boolean; fileName: string | null }): string
}>('playground/request/curl-command.js')

const SESSION = { kind: 'session', rows: [{ type: 'session', id: 's' }], text: '{"type":"session","id":"s"}\n' }
const LIST = { kind: 'messages', rows: [], body: { messages: [{ role: 'user', content: 'a' }] } }
const build = (endpoint: string, source: Row, values: Row = {}) => buildRequest({ endpoint, source, values })
const bodyOf = (request: Request) => JSON.parse(request.body) as Row

describe('buildRequest', () => {
  it('sends a session file byte for byte, its parameters in the query', () => {
    const values = {
      contextWindow: '16000',
      keepRecentTokens: '420',
      customInstructions: 'a & b',
      dryRun: true,
      prune: 'on',
      leafId: '',
    }
    const request = build('compact', SESSION, values)
    expect(request).toMatchObject({ contentType: 'application/x-ndjson', body: SESSION.text, streams: true })
    const url = new URL(request.path, 'http://recapd')
    expect(url.pathname).toBe('/compact')
    expect(Object.fromEntries(url.searchParams)).toEqual({
      contextWindow: '16000',
      customInstructions: 'a & b',
      dryRun: 'true',
      'settings.keepRecentTokens': '420',
      prune: 'true',
      coverage: 'true',
    })
  })

  it('moves parameters that would make too long a query into a JSON body', () => {
    const request = build('compact', SESSION, { customInstructions: 'x'.repeat(5000) })
    expect(request).toMatchObject({ path: '/compact', contentType: 'application/json' })
    expect(bodyOf(request)).toMatchObject({ entries: SESSION.rows, coverage: true })
  })

  it('sends numbers as numbers and leaves what is empty to the service', () => {
    const request = build('compact', LIST, { contextWindow: '8000', protectLast: '5', reason: '', model: '' })
    expect(bodyOf(request)).toEqual({ ...LIST.body, contextWindow: 8000, protect: { last: 5 }, coverage: true })
  })

  it('sends no setting of sessions with a list, and none of lists with a session', () => {
    expect(bodyOf(build('compact', LIST, { keepRecentTokens: '5', leafId: 'a' }))).toEqual({
      ...LIST.body,
      coverage: true,
    })
    expect(build('compact', SESSION, { protectLast: '5' }).path).toBe('/compact?coverage=true')
  })

  it('sends the file of another agent as it lies, and never as JSON', () => {
    const source = { kind: 'transcript', agent: 'Codex rollout', rows: [], text: '{"type":"session_meta"}' }
    const sent = build('context', source, { format: 'openai', leafId: 'x', customInstructions: 'y'.repeat(9000) })
    expect(sent).toMatchObject({
      path: '/context?format=openai',
      contentType: 'application/x-ndjson',
      body: source.text,
    })
  })

  it('asks for the form of a list at /context, whose dialect is found from its rows', () => {
    const source = { kind: 'messages', body: { format: 'responses', messages: [] } }
    expect(bodyOf(build('context', source, { format: 'openai' }))).toEqual({ messages: [], format: 'openai' })
    expect(bodyOf(build('check', source, {}))).toEqual({ messages: [], format: 'responses' })
  })

  it('turns the three prune fields into what the endpoint wants', () => {
    const pruneOf = (values: Row) => new URL(build('compact', SESSION, values).path, 'http://recapd').searchParams
    expect(pruneOf({ prune: 'off', protectTokens: '9' }).get('prune')).toBe('false')
    expect(pruneOf({ protectTokens: '9' }).get('prune.protectTokens')).toBe('9')
    expect(build('prune', SESSION, { protectTokens: '0' }).path).toBe('/prune?protectTokens=0')
  })

  it('puts plain text into a conversation block, and a prompt that has one goes out as it is', () => {
    expect(bodyOf(build('summarize', { kind: 'text', text: 'hello' }))['prompt']).toMatch(
      /^<conversation>\nhello\n<\/conversation>\n\n/,
    )
    const prompt = '<conversation>\n[User]: hi\n</conversation>\nShort.'
    const body = bodyOf(
      build('summarize', { kind: 'text', text: prompt }, { systemPrompt: 'Be brief.', maxTokens: '50' }),
    )
    expect(body).toEqual({ systemPrompt: 'Be brief.', prompt, maxTokens: 50 })
  })

  it('lets the fields of a pasted /summarize body stand unless a field of the form says otherwise', () => {
    const source = { kind: 'prompt', body: { prompt: 'p', systemPrompt: 's', maxTokens: 7 } }
    expect(bodyOf(build('summarize', source, { maxTokens: '9' }))).toEqual({
      prompt: 'p',
      systemPrompt: 's',
      maxTokens: 9,
    })
  })

  it('wraps the last error for /check', () => {
    expect(bodyOf(build('check', LIST, { lastError: 'too long' }))['lastError']).toEqual({ message: 'too long' })
  })

  it.each([
    ['source', 'compact', { kind: 'empty' }, {}],
    ['source', 'branch-summary', LIST, {}],
    ['keepRecentTokens', 'compact', SESSION, { keepRecentTokens: '1e3' }],
    ['targetId', 'branch-summary', SESSION, { oldLeafId: 'a' }],
  ])('names the field %s when the form of %s cannot be sent', (field, endpoint, source, values) => {
    expect(build(endpoint, source, values).fault?.field).toBe(field)
  })
})

describe('curlCommand', () => {
  const command = (request: Request, hasKey = false, fileName: string | null = null) =>
    curlCommand({ origin: 'http://localhost:8080', request, hasKey, fileName })

  it('names the file of a session and reads the key from the environment', () => {
    const text = command(build('check', SESSION, { contextWindow: '9' }), true, 'my session.jsonl')
    expect(text).toBe(
      `curl -sS 'http://localhost:8080/check?contextWindow=9' \\\n  -H 'content-type: application/x-ndjson' \\\n  -H "x-api-key: $RECAPD_KEY" \\\n  --data-binary @'my session.jsonl'`,
    )
  })

  it('carries a small body itself, with quotes that a shell understands', () => {
    const source = { ...LIST, body: { messages: [{ role: 'user', content: "it's" }] } }
    expect(command(build('check', source))).toContain(
      String.raw`--data-binary '{"messages":[{"role":"user","content":"it'\''s"}]}'`,
    )
  })

  it('points to a file when the body is long', () => {
    const source = { ...LIST, body: { messages: [{ role: 'user', content: 'x'.repeat(4000) }] } }
    expect(command(build('check', source))).toMatch(/--data-binary @request\.json$/)
  })
})
