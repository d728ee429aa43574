import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { detectDialect } from '../../../../src/domain/dialects/detect-dialect.ts'
import { CORPUS_NOTE, corpusFiles, corpusText, hasCorpus } from '../../../support/corpus.ts'
import { webModule } from '../../../support/web-module.ts'

interface Source {
  readonly kind: 'empty' | 'session' | 'messages' | 'prompt' | 'text'
  readonly rows?: readonly unknown[]
  readonly skipped?: number
  readonly dialect?: string
  readonly body?: Record<string, unknown>
  readonly text?: string
  readonly brokenJson?: boolean
  readonly foreign?: boolean
}

const { readSource } = await webModule<{ readSource(text: string): Source }>('playground/source/read-source.js')
const lines = (...rows: unknown[]) =>
  rows.map((row) => (typeof row === 'string' ? row : JSON.stringify(row))).join('\n')
const HEADER = { type: 'session', version: 3, id: 's', cwd: '/home/dev' }
const ENTRY = { type: 'message', id: 'aaaaaaaa', parentId: null, message: { role: 'user', content: 'hello' } }

describe('readSource', () => {
  it('takes nothing for empty', () => {
    expect(readSource('  \n ').kind).toBe('empty')
  })

  it('takes a session file as it lies, counts what is no JSON object, and keeps its text', () => {
    const text = `\uFEFF${lines(HEADER, '{"cut', ENTRY, '')}\n`
    const source = readSource(text)
    expect(source).toMatchObject({ kind: 'session', skipped: 2, rows: [HEADER, ENTRY] })
    expect(source.text).toBe(text.slice(1))
  })

  it('takes a file of one line and an array of entries for sessions too', () => {
    expect(readSource(`${JSON.stringify(HEADER)}\n`)).toMatchObject({ kind: 'session', rows: [HEADER] })
    expect(readSource(JSON.stringify([HEADER, ENTRY]))).toMatchObject({
      kind: 'session',
      body: { entries: [HEADER, ENTRY] },
    })
  })

  it('keeps every field of a body with entries', () => {
    const body = { entries: [ENTRY], targetId: 'aaaaaaaa', oldLeafId: null }
    expect(readSource(JSON.stringify(body))).toMatchObject({ kind: 'session', body })
  })

  it.each([
    [
      'openai',
      [
        { role: 'user', content: 'a' },
        { role: 'tool', tool_call_id: 'x', content: 'b' },
      ],
    ],
    ['anthropic', [{ role: 'assistant', content: [{ type: 'tool_use', id: 'x', name: 'ls', input: {} }] }]],
    [
      'responses',
      [
        { type: 'message', role: 'user', content: 'a' },
        { type: 'function_call', name: 'ls', arguments: '{}' },
      ],
    ],
  ])('knows a list of %s messages', (dialect, messages) => {
    expect(readSource(JSON.stringify(messages))).toMatchObject({
      kind: 'messages',
      dialect,
      rows: messages,
      body: { messages },
    })
  })

  it('takes the messages out of a whole request and leaves out what was meant for the model', () => {
    const request = {
      model: 'gpt',
      stream: true,
      max_tokens: 5,
      system: 'be brief',
      messages: [{ role: 'user', content: 'a' }],
    }
    expect(readSource(JSON.stringify(request)).body).toEqual({ system: 'be brief', messages: request.messages })
  })

  it('turns a Responses request into messages with their format', () => {
    const request = { model: 'gpt', instructions: 'be brief', input: [{ role: 'user', content: 'a' }] }
    expect(readSource(JSON.stringify(request)).body).toEqual({
      system: 'be brief',
      format: 'responses',
      messages: request.input,
    })
  })

  it('turns a Gemini request into messages with their format', () => {
    const contents = [{ role: 'user', parts: [{ text: 'a' }] }]
    const request = { contents, systemInstruction: { parts: [{ text: 'be brief' }] }, generationConfig: {} }
    expect(readSource(JSON.stringify(request)).body).toEqual({
      system: request.systemInstruction,
      format: 'gemini',
      messages: contents,
    })
  })

  it('takes messages written one a line for a list', () => {
    expect(readSource(lines({ role: 'user', content: 'a' }, { role: 'assistant', content: 'b' })).kind).toBe('messages')
  })

  it('knows a body of /summarize', () => {
    expect(readSource('{"prompt":"short please"}').kind).toBe('prompt')
  })

  it('takes prose for text, also prose with JSON in it, and says when JSON is broken', () => {
    expect(readSource('[User]: hi')).toMatchObject({ kind: 'text', text: '[User]: hi', brokenJson: true })
    expect(readSource('Dear all,\n{"a":1}').kind).toBe('text')
    expect(readSource('{"a":1}\nand\nso\non').kind).toBe('text')
    expect(readSource('{"messages": [').brokenJson).toBe(true)
  })
})

describe.skipIf(!hasCorpus)(`readSource on recorded files (${CORPUS_NOTE})`, () => {
  it('knows every session of pi and omp', () => {
    for (const file of corpusFiles('pi', '.jsonl')) expect(readSource(corpusText(file)).kind, file).toBe('session')
  })

  it.each(['openai', 'anthropic'])('knows every request and message list of %s', (folder) => {
    const texts = corpusFiles(folder, '.json')
      .map(corpusText)
      .filter((text) => Array.isArray((JSON.parse(text) as { messages?: unknown }).messages))
    expect(texts.length).toBeGreaterThan(0)
    for (const text of texts) expect(readSource(text)).toMatchObject({ kind: 'messages', dialect: folder })
  })

  it.each([
    ['claude-code', 'Claude Code transcript'],
    ['codex', 'Codex rollout'],
  ])('knows the files of %s, which are sent as they lie', (folder, agent) => {
    for (const file of corpusFiles(folder, '.jsonl')) {
      const text = corpusText(file)
      expect(readSource(text), file).toMatchObject({ kind: 'transcript', agent, rows: [], text })
    }
  })
})

const EXAMPLES = path.resolve(import.meta.dirname, '../../../../examples/reads')
const lists = readdirSync(EXAMPLES).filter((name) => name.endsWith('.json') && !/^(prompt|ui)-|^chat/.test(name))

describe('readSource on the examples', () => {
  it.each(lists)('%s: names the dialect that the service finds', (name) => {
    const text = readFileSync(path.join(EXAMPLES, name), 'utf8')
    const { messages } = JSON.parse(text) as { messages: unknown[] }
    expect(readSource(text)).toMatchObject({ kind: 'messages', ...detectDialect(messages) })
  })
})

describe('readSource on lists, one message a line', () => {
  it.each([
    ['langchain', { type: 'human', content: 'hi' }],
    ['langchain', { lc: 1, type: 'constructor', id: ['HumanMessage'], kwargs: { content: 'hi' } }],
    ['gemini', { role: 'user', parts: [{ text: 'hi' }] }],
    ['bedrock', { role: 'user', content: [{ text: 'hi' }] }],
    ['vercel', { role: 'tool', content: [{ type: 'tool-result', toolCallId: 'a' }] }],
    ['responses', { type: 'function_call', call_id: 'a' }],
  ])('names %s', (dialect, message) => {
    const text = `${JSON.stringify(message)}\n${JSON.stringify(message)}\n`
    expect(readSource(text)).toMatchObject({ kind: 'messages', dialect, rows: [message, message] })
  })

  it('takes lines of nobody for text', () => {
    expect(readSource('{"kind":"note"}\n{"kind":"note"}\n')).toMatchObject({ kind: 'text', foreign: true })
  })
})
