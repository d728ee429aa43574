import { describe, expect, it } from 'vitest'
import type { WorkCall } from '../../src/requests/call.ts'
import { execute } from '../../src/requests/execute.ts'
import { CONTEXT, pipelineWorld } from '../support/pipeline-world.ts'
import { SessionBuilder } from '../support/session-builder.ts'

const run = (endpoint: WorkCall['endpoint'], body: string, more: Partial<WorkCall> = {}) => {
  const call: WorkCall = { endpoint, mediaType: 'json', bytes: Buffer.from(body), query: {}, context: CONTEXT, ...more }
  return execute({ call, deps: pipelineWorld().deps }, new AbortController().signal)
}
const answerOf = async (work: ReturnType<typeof run>) => JSON.parse((await work).json)

function talk() {
  const session = new SessionBuilder()
  session.turns(5)
  return session
}
const fileOf = (session: SessionBuilder) => session.rows.map((row) => JSON.stringify(row)).join('\n')

describe('execute', () => {
  it('takes a session file as it lies on disk, its parameters from the query', async () => {
    const file = `${fileOf(talk())}\n\n{"type":"message","id":"cut`
    const query = {
      'settings.keepRecentTokens': '2100',
      contextWindow: '200000',
      shortSummary: 'false',
      pinned: ['one', 'two'],
      reason: 'manual',
      coverage: 'true',
      leafId: '0000000a',
      'prune.protectTokens': '5',
      'preserveData.a': 'b',
      'iterationBudget.max': '9',
      'iterationBudget.used': '3',
      additionalContext: 'CI is red',
      x_unknown: 'tolerated',
    }
    const result = await answerOf(run('compact', file, { mediaType: 'ndjson', query }))
    expect(result).toMatchObject({
      compacted: true,
      entry: { parentId: '0000000a', preserveData: { a: 'b' }, summary: expect.stringContaining('one\n\ntwo') },
      plan: { keepRecentTokens: 2100, coverage: expect.any(Array) },
      iterationBudget: { max: 9, used: 3, remaining: 6, refunded: 0 },
      warnings: ['skipped 1 malformed line and 1 blank line'],
    })
    expect(result.entry).not.toHaveProperty('shortSummary')
  })

  it('says which parameter of the query is wrong', async () => {
    const query = { contextWindow: 'many', 'settings.reserveTokens': '-5' }
    await expect(run('compact', fileOf(talk()), { mediaType: 'ndjson', query })).rejects.toMatchObject({
      code: 'invalid-request',
      extras: { errors: [{ path: '/contextWindow' }, { path: '/settings/reserveTokens' }] },
    })
  })

  it.each(['check', 'prune', 'context'] as const)('POST /%s takes it too', async (endpoint) => {
    const query = { leafId: '00000002', ...(endpoint === 'context' ? { format: 'pi' } : {}) }
    const result = await answerOf(run(endpoint, `${fileOf(talk())}\n`, { mediaType: 'ndjson', query }))
    expect(result.warnings).toEqual([])
    if (endpoint === 'context') expect(result.messages).toHaveLength(2)
  })

  it('reads a key that would reach into every object as no parameter', async () => {
    const query = { '__proto__.polluted': 'yes', 'constructor.prototype.polluted': 'yes' }
    await run('check', fileOf(talk()), { mediaType: 'ndjson', query })
    expect({}).not.toHaveProperty('polluted')
  })

  const row = (id: string, parentId: string | null) => ({
    type: 'message',
    id,
    parentId,
    timestamp: '2026-01-01T00:00:00Z',
    message: { role: 'user', content: 'Hello.' },
  })
  it.each<[string, 'summarize' | 'compact' | 'branch-summary', object]>([
    ['invalid-request', 'summarize', { systemPrompt: 'S.' }],
    ['invalid-request', 'compact', { messages: [{ of: 'no dialect' }] }],
    ['attempts-exhausted', 'compact', { messages: [], attempt: 4, maxAttempts: 3 }],
    ['broken-tree', 'compact', { entries: [row('a', null), row('b', 'nobody')] }],
    ['unknown-leaf', 'compact', { entries: [row('a', null)], leafId: 'nobody' }],
    ['unknown-target', 'branch-summary', { entries: [row('a', null)], oldLeafId: 'a', targetId: 'nobody' }],
  ])('on trial says %s of POST /%s at once, as the run itself would', async (code, endpoint, body) => {
    for (const isTrial of [true, false]) {
      await expect(run(endpoint, JSON.stringify(body), { isTrial })).rejects.toMatchObject({ code })
    }
  })

  it('on trial asks no model and answers nothing', async () => {
    expect(await run('summarize', '{"systemPrompt":"S.","prompt":"P."}', { isTrial: true })).toEqual({ json: '' })
  })

  it('400 for what is no JSON, with no word of it', async () => {
    await expect(run('compact', '{"entries": [secret')).rejects.toMatchObject({
      code: 'invalid-json',
      message: expect.not.stringContaining('secret'),
    })
  })

  it.each([
    ['a long prompt goes on as it was spelled', String.raw`"\u00e9${'x'.repeat(2_000)}"`, true],
    ['a short one is quicker to write anew', String.raw`"\u00e9"`, false],
    ['what no provider takes is mended first', String.raw`"\u0000${'x'.repeat(2_000)}"`, false],
    ['half a character too', String.raw`"\ud800${'x'.repeat(2_000)}"`, false],
  ])('/summarize: %s', async (_title, json, isSpelled) => {
    const world = pipelineWorld()
    const body = `{"systemPrompt":"S.","prompt":${json},"model":"alpha/small"}`
    const call: WorkCall = {
      endpoint: 'summarize',
      mediaType: 'json',
      bytes: Buffer.from(body),
      query: {},
      context: CONTEXT,
    }
    await execute({ call, deps: world.deps }, new AbortController().signal)
    const [asked] = world.asked
    const spelling = asked?.spelling
    expect(spelling === undefined ? undefined : Buffer.from(spelling).toString()).toBe(isSpelled ? json : undefined)
    if (isSpelled) expect(asked?.prompt).toBe(JSON.parse(json))
  })

  it('leaves a fault of its own one', async () => {
    const deps = {
      ...pipelineWorld().deps,
      now: () => {
        throw new RangeError('a bug')
      },
    }
    const call: WorkCall = {
      endpoint: 'compact',
      mediaType: 'json',
      bytes: Buffer.from(JSON.stringify({ entries: talk().rows, settings: { keepRecentTokens: 2100 } })),
      query: {},
      context: CONTEXT,
    }
    await expect(execute({ call, deps }, new AbortController().signal)).rejects.toThrow('a bug')
  })
})
