import { describe, expect, it } from 'vitest'
import { context } from '../../src/pipelines/context.ts'
import { contextRequest } from '../../src/pipelines/context-schema.ts'
import { parseRequest } from '../../src/requests/parse-request.ts'
import { CONTEXT, pipelineWorld } from '../support/pipeline-world.ts'
import { SessionBuilder } from '../support/session-builder.ts'

const ask = (body: object) =>
  context({ request: parseRequest(contextRequest, body), context: CONTEXT, deps: pipelineWorld().deps })

function story() {
  const session = new SessionBuilder()
  session.user('lost')
  const kept = session.user('kept')
  session.compaction('the story', kept, { shortSummary: 'short', x_future: 1 })
  session.add({ type: 'thinking_level_change', thinkingLevel: 'high' })
  session.assistant('look', [{ id: 'c1', name: 'ls', arguments: { path: 'src' } }])
  session.result('c1', 'main.ts', { x_result: true })
  session.branchSummary('tried threads', { x_branch: 2 })
  return { session, kept }
}

describe('context', () => {
  it('rebuilds what the agent holds, with model and thinking level', () => {
    const { session } = story()
    const result = ask({ entries: session.rows })
    expect(result).toMatchObject({ model: 'fake/fake-1', thinkingLevel: 'high', warnings: [] })
    expect(result.messages).toMatchObject([
      { role: 'compactionSummary', summary: 'the story', shortSummary: 'short', tokensBefore: 1 },
      { role: 'user' },
      { role: 'assistant' },
      { role: 'toolResult' },
      { role: 'branchSummary', summary: 'tried threads', fromId: 'root' },
    ])
  })

  it('keeps unknown fields of messages, custom messages and summaries, and leaves their place in the tree out', () => {
    const { session } = story()
    session.add({
      type: 'custom_message',
      customType: 'note',
      content: 'n',
      display: true,
      details: { a: 1 },
      x_note: 3,
    })
    const { messages } = ask({ entries: session.rows })
    expect(messages[0]).toMatchObject({ x_future: 1 })
    expect(messages[3]).toMatchObject({ x_result: true })
    expect(messages[4]).toMatchObject({ x_branch: 2 })
    expect(messages[5]).toEqual({
      role: 'custom',
      customType: 'note',
      content: 'n',
      display: true,
      details: { a: 1 },
      x_note: 3,
      timestamp: Date.parse('2026-01-01T00:00:00.000Z'),
    })
  })

  it('tells providers the same in their own shapes', () => {
    const { session } = story()
    const openai = ask({ entries: session.rows, format: 'openai' }).messages as readonly { role: string }[]
    expect(openai.map(({ role }) => role)).toEqual(['user', 'user', 'assistant', 'tool', 'user'])
    expect(JSON.stringify(openai[0])).toContain('<summary>\\nthe story\\n</summary>')
    const anthropic = ask({ entries: session.rows, format: 'anthropic' }).messages as readonly { role: string }[]
    expect(anthropic.map(({ role }) => role)).toEqual(['user', 'assistant', 'user'])
  })

  it('stands at the asked leaf; null is the place before the first entry', () => {
    const { session, kept } = story()
    expect(ask({ entries: session.rows, leafId: kept }).messages).toHaveLength(2)
    expect(ask({ entries: session.rows, leafId: null })).toMatchObject({
      messages: [],
      model: null,
      thinkingLevel: 'off',
    })
  })

  it.each([
    ['unknown-leaf', { leafId: 'nosuchid' }],
    ['no-entries', { entries: [] }],
  ])('%s is a problem of its own', (code, more) => {
    expect(() => ask({ entries: story().session.rows, ...more })).toThrow(expect.objectContaining({ code }))
  })
})
