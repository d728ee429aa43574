import { describe, expect, test } from 'vitest'
import { summarizeExtractively } from '../../../src/domain/extractive/summarize-extractively.ts'
import { CORPUS_NOTE, corpusFiles, corpusText, hasCorpus } from '../../support/corpus.ts'
import { CHECKPOINT, headingsOf, promptOf, type Row } from './prompt-builder.ts'

const files = corpusFiles('pi', '.jsonl')

interface Part {
  readonly type?: string
  readonly text?: string
  readonly name?: string
  readonly arguments?: Readonly<Record<string, unknown>>
}
interface Message {
  readonly role: string
  readonly content?: string | readonly Part[]
}

/** The form of omp 13: results cut at 2 000 characters, no word about errors. */
function rowsOf(file: string): Row[] {
  const lines = corpusText(file)
    .split('\n')
    .filter((line) => line !== '')
  return lines.flatMap((line) => {
    const { message } = JSON.parse(line) as { readonly message?: Message }
    return message === undefined ? [] : rowsOfMessage(message)
  })
}

function rowsOfMessage({ role, content }: Message): Row[] {
  const parts = typeof content === 'string' ? [{ type: 'text', text: content }] : (content ?? [])
  const text = parts.map((part) => part.text ?? '').join('')
  const calls = parts.filter((part) => part.type === 'toolCall').map(callText)
  const rows: Row[] = []
  if (role === 'user' && text !== '') rows.push(['User', text])
  if (role === 'assistant' && text !== '') rows.push(['Assistant', text])
  if (calls.length > 0) rows.push(['Assistant tool calls', calls.join('; ')])
  if (role === 'toolResult' && text !== '') rows.push(['Tool result', text.slice(0, 2_000)])
  return rows
}

function callText({ name, arguments: args }: Part): string {
  return `${name}(${Object.entries(args ?? {})
    .map(([key, value]) => `${key}=${JSON.stringify(value)}`)
    .join(', ')})`
}

const PATH = /[\w@~.-]*(?:\/[\w@.-]+)+\.\w{1,6}\b/g

describe.skipIf(!hasCorpus)(`recorded sessions (${CORPUS_NOTE})`, () => {
  test.each(files)('summarizeExtractively invents nothing about %s and stays short', (file) => {
    const rows = rowsOf(file)
    const prompt = promptOf(rows)
    const summary = summarizeExtractively({ prompt, maxTokens: 13_107 })
    expect(headingsOf(summary)).toEqual(headingsOf(CHECKPOINT))
    expect((summary.match(PATH) ?? []).filter((path) => !prompt.includes(path))).toEqual([])
    expect(summary.length).toBeLessThan(24_000)
    const newest = rows.findLast(([label]) => label === 'User')?.[1] ?? ''
    if (newest.length > 40 && newest.length < 400 && !newest.includes('\n')) expect(summary).toContain(newest.trim())
  })
})
