import { describe, expect, it } from 'vitest'
import { appOfTest, type TestAppOptions } from '../support/build-test-app.ts'
import { brokenInvariants } from '../support/chat-invariants.ts'
import { call, chat, filler, result, says, system, user } from '../support/chat-lists.ts'
import type { RecordedRequest, Reply } from '../support/fake-provider.ts'
import { pipelineWorld, WHOLE } from '../support/pipeline-world.ts'
import { LONG_TALK_SETTINGS, longTalk, SessionBuilder, text } from '../support/session-builder.ts'

// Rows of docs/bug-log.md that no other file holds, by their numbers, in the log's order.

const contextWindow = 8000
const settings = LONG_TALK_SETTINGS

/** POST /compact with that session, before a scripted provider. */
async function compact(
  script: readonly Reply[] | ((request: RecordedRequest, index: number) => Reply),
  body: object = {},
  options: TestAppOptions = {},
) {
  const { app, provider } = await appOfTest({ ...options, script })
  const payload = { entries: longTalk(), settings, shortSummary: false, ...body }
  const answer = await app.inject({ method: 'POST', url: '/compact', payload })
  return { status: answer.statusCode, body: answer.json(), sent: provider.requests.map((request) => request.body) }
}
const summary = (): readonly Reply[] => [{ text: WHOLE }]
const promptOf = (sent: Record<string, unknown> | undefined) => JSON.stringify(sent?.['messages'])

describe('1. calls and results', () => {
  it('B001 B009 B017 a reply never stands apart from its call, wherever the cut falls', async () => {
    for (let keepRecentTokens = 100; keepRecentTokens < 4000; keepRecentTokens += 300) {
      const session = new SessionBuilder()
      session.user('go')
      session.assistant(text(500), [
        { id: 'a', name: 'ask' },
        { id: 'b', name: 'bash' },
      ])
      session.result('a', text(600, 'do X instead'))
      session.result('b', text(900))
      session.user('next')
      session.assistant(text(800), [{ id: 'c', name: 'bash' }])
      session.result('c', text(300))
      const { plan } = await pipelineWorld().session({ entries: session.rows, settings: { keepRecentTokens } })
      const kept = plan?.keptEntryIds ?? []
      expect(kept.includes('00000002')).toBe(kept.includes('00000003') && kept.includes('00000004'))
      expect(kept.includes('00000006')).toBe(kept.includes('00000007'))
    }
  })

  it('B003 the last open call of a session stays untouched', async () => {
    const session = new SessionBuilder()
    session.turns(3)
    session.user('go on')
    const open = session.assistant('', [{ id: 't9', name: 'bash' }])
    const { plan, context } = await pipelineWorld().session({ entries: session.rows, settings })
    expect(plan?.keptEntryIds).toContain(open)
    expect(context?.messages.at(-1)).toBe(session.rows.at(-1)?.['message'])
  })

  it('B006 B021 ids are compared trimmed and returned byte for byte', async () => {
    const tail = [
      user('go'),
      { role: 'assistant', content: null, tool_calls: [call(' functions.read:0')] },
      result('functions.read:0'),
    ]
    const { messages } = await pipelineWorld().list({ messages: [system, ...chat(20), ...tail], contextWindow })
    expect(messages.slice(-2)).toEqual(tail.slice(-2))
  })
})

describe('2. answers that are no summary', () => {
  it.each([
    ['B030 B048 nothing', { text: '' }],
    ['B033 blanks', { text: '  \n' }],
    ['B031 B041 reasoning alone', { text: '', reasoning: 'the goal is clear' }],
    ['B038 notes of another kind', { text: 'Sure, done. Anything else?' }],
    ['T05 the answer to the last question', { text: 'The relay listens on 4711.' }],
    ['T15 a page of HTML', { raw: '<html>busy</html>' }],
  ])('%s: the next model, and a problem when there is none', async (_what, bad: Reply) => {
    const config = { candidates: ['alpha/small', 'alpha/big'] }
    const next = await compact((request) => (request.body['model'] === 'small' ? bad : { text: WHOLE }), {}, { config })
    expect(next.body).toMatchObject({ compacted: true, calls: [{ kind: 'history', model: 'alpha/big' }] })
    const never = await compact([bad])
    expect(never.status).toBeGreaterThanOrEqual(424)
    expect(never.body).toMatchObject({ state: expect.any(String) })
    expect(never.body).not.toHaveProperty('entry')
  })

  it('B034 reasoning that ate the budget: once more with twice as much', async () => {
    const { body, sent } = await compact([{ text: '', reasoning: 'hm', finishReason: 'length' }, { text: WHOLE }])
    expect(body.compacted).toBe(true)
    const [first, second] = sent.map((request) => Number(request['max_tokens']))
    expect(second).toBeGreaterThanOrEqual(Number(first))
  })

  it('B036 a wrong answer every time ends soon, and the prompt does not grow', async () => {
    const { sent, status } = await compact([{ text: '<observation>x</observation>' }])
    expect(status).toBe(424)
    expect(sent.length).toBeLessThanOrEqual(3)
    const sizes = sent.map((request) => promptOf(request).length)
    expect(Math.max(...sizes) - (sizes[0] ?? 0)).toBeLessThan(1000)
  })

  it('B039 nothing that was kept comes back blank', async () => {
    const { context } = await pipelineWorld().session({ entries: longTalk(), settings })
    for (const message of context?.messages.slice(1) ?? []) expect(JSON.stringify(message)).toMatch(/next|well/)
  })

  it('B042 a command that reached the list is no conversation: the list really shrinks', async () => {
    const { progress, messages } = await pipelineWorld().list({
      messages: [...chat(20), user('/compact')],
      contextWindow,
    })
    expect(progress.madeProgress).toBe(true)
    expect(messages.length).toBeLessThan(41)
  })

  it('B045 B046 a compaction delta without content is carried and breaks nothing', async () => {
    const items = Array.from({ length: 20 }, (_, n) => [
      { type: 'message', role: 'user', content: [{ type: 'input_text', text: `ask ${n}` }] },
      { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: filler(400) }] },
    ]).flat()
    items.splice(3, 0, { type: 'compaction_delta', content: null } as never)
    const { compacted } = await pipelineWorld().list({ messages: items, contextWindow, format: 'responses' })
    expect(compacted).toBe(true)
  })
})

describe('3. progress', () => {
  it('B059 B065 B092 what an earlier compaction took out is neither counted nor told again', async () => {
    const session = new SessionBuilder()
    session.turns(40, 'hidden')
    session.compaction('## Goal\nold', 'ffffffff')
    const world = pipelineWorld()
    expect(await world.session({ entries: [...session.rows], settings })).toMatchObject({ reason: 'already-compacted' })
    session.turns(3, 'live')
    const result = await world.session({ entries: session.rows, settings: { keepRecentTokens: 1100 } })
    expect(result.progress.tokensBefore).toBeLessThan(3100)
    expect(world.prompt('history')).not.toContain('hidden')
  })
})

describe('4. too much for one call', () => {
  it('B081 B083 B085 B095 B096 B099 one giant message in a small window is read in parts, marked where it was cut', async () => {
    const { body, sent } = await compact(
      summary(),
      { entries: longTalk((session) => session.user(text(30_000, 'PASTED'))), contextWindow: 200_000 },
      { models: { tiny: { contextWindow: 8000, maxOutputTokens: 1000 } }, config: { candidates: ['alpha/tiny'] } },
    )
    expect(body).toMatchObject({ compacted: true, method: 'fold' })
    for (const request of sent) expect(promptOf(request).length).toBeLessThan(8000 * 4)
    expect(body.warnings.join()).toMatch(/cut/)
  })

  it('B097 every row is summarised, kept or named as ignored', async () => {
    const { plan } = await pipelineWorld().session({ entries: longTalk(), settings, coverage: true })
    expect(plan?.coverage?.map(({ fate }) => fate)).toEqual(['ignored', 'summarized', 'summarized', 'kept', 'kept'])
  })

  it('B094 huge results at the end shrink in place, order kept', async () => {
    const steps = ['a', 'b', 'c'].flatMap((id) => [
      { role: 'assistant', content: null, tool_calls: [call(id)] },
      result(id, filler(3000, id)),
    ])
    const messages = [...chat(6), user('go'), ...steps]
    const { messages: out, compacted } = await pipelineWorld().list({ messages, contextWindow })
    expect(compacted).toBe(true)
    expect(brokenInvariants(out, 'openai').filter((fault) => !fault.startsWith('I4'))).toEqual([])
  })
})

describe('6. facts', () => {
  it('B140 the first ask reaches the model a hundred tool turns later', async () => {
    const session = new SessionBuilder()
    session.user('THE FIRST ASK')
    for (let n = 0; n < 100; n += 1) session.tool(`c${n}`, text(200))
    session.user('next')
    session.assistant(text(500))
    const world = pipelineWorld()
    await world.session({ entries: session.rows, settings })
    for (const { prompt } of world.asked) expect(prompt).toContain('THE FIRST ASK')
  })

  it('B143 a summary that is the last row stays as it is', async () => {
    const first = await pipelineWorld().session({ entries: longTalk(), settings })
    const again = await pipelineWorld().session({ entries: [...longTalk(), first.entry as never], settings })
    expect(again).toMatchObject({ compacted: false, reason: 'already-compacted' })
  })

  it('T13 odd paths are listed exactly', async () => {
    const paths = ['src/with space.ts', 'src/日本語.ts', 'C:\\work\\a.ts', 'src/a.ts:10-20']
    const entries = longTalk((session) => {
      session.assistant(
        '',
        paths.map((path, n) => ({ id: `w${n}`, name: 'write', arguments: { path } })),
      )
      for (const [n] of paths.entries()) session.result(`w${n}`, 'ok')
    })
    const { entry } = await pipelineWorld().session({ entries, settings })
    const wanted = ['C:\\work\\a.ts', 'src/a.ts', 'src/with space.ts', 'src/日本語.ts']
    expect(entry?.details).toEqual({ readFiles: [], modifiedFiles: wanted })
    expect(entry?.summary).toContain(`<modified-files>\n${wanted.join('\n')}\n</modified-files>`)
  })
})

describe('7. what is sent', () => {
  it('B035 B190 B201 no reasoning, no empty objects, no cache marks, no temperature, no tools', async () => {
    const { sent } = await compact(summary())
    const [request = {}] = sent
    for (const field of ['reasoning_effort', 'temperature', 'tools']) expect(request).not.toHaveProperty(field)
    expect(JSON.stringify(request)).not.toMatch(/\{\}|cache_control/)
  })

  it('B189 a streamed answer needs nobody who listens to its pieces', async () => {
    const { sent, body } = await compact(summary())
    expect(sent[0]?.['stream']).toBe(true)
    expect(body.compacted).toBe(true)
  })

  it('B204 a model nobody configured is told so', async () => {
    expect(await compact(summary(), { model: 'auto' })).toMatchObject({ status: 422, body: { code: 'unknown-model' } })
  })

  it('T01 a fence around everything comes off, one inside stays', async () => {
    const inner = `${WHOLE}\n\n\`\`\`sh\nmake\n\`\`\``
    const { body } = await compact([{ text: `\`\`\`markdown\n${inner}\n\`\`\`` }])
    expect(body.entry.summary.startsWith(inner)).toBe(true)
  })

  it('T03 an answer cut before its closing tag is asked for once more', async () => {
    const { body, sent } = await compact([
      { text: '<summary>\n## Goal\nhalf', finishReason: 'length' },
      { text: `<summary>\n${WHOLE}\n</summary>` },
    ])
    expect(sent).toHaveLength(2)
    expect(body.entry.summary.startsWith(WHOLE)).toBe(true)
  })
})

describe('T09 to T13, lists', () => {
  it('B061 T10 odd rows are no fault of the service, unknown ones are refused', async () => {
    const odd = [
      { role: 'user', content: null },
      { role: 'assistant', content: [] },
    ]
    const list = [...odd, ...chat(20), says('end')]
    const { compacted } = await pipelineWorld().list({ messages: list, contextWindow })
    expect(compacted).toBe(true)
    for (const unknown of [{ content: 'no role' }, { role: 'martian' }]) {
      const work = pipelineWorld().list({ messages: [...list, unknown], contextWindow })
      await expect(work).rejects.toMatchObject({ code: 'invalid-request' })
    }
  })
})
