import { describe, expect, it } from 'vitest'
import { deepFreeze } from '../../support/deep-freeze.ts'
import { completionOf } from '../../support/fake-model.ts'
import { HISTORY, NOW_MS, PREFIX, pipelineWorld, SHORT } from '../../support/pipeline-world.ts'
import { SessionBuilder, text, usage } from '../../support/session-builder.ts'

const settings = { keepRecentTokens: 2100 }

function talk(turns = 5) {
  const session = new SessionBuilder()
  return { session, turns: session.turns(turns) }
}

/** Five turns and one long turn whose second half alone fits. */
function splitTalk() {
  const { session } = talk()
  const ask = session.user('the long job')
  const first = session.assistant(text(1500, 'first half'))
  const second = session.assistant(text(1500, 'second half'))
  return { session, ask, first, second }
}

describe('compactSession', () => {
  it('gives an entry that is a child of the leaf and complete as it stands', async () => {
    const { session, turns } = talk()
    const { entry } = await pipelineWorld().session({ entries: session.rows, settings })
    expect(entry).toEqual({
      type: 'compaction',
      id: 'c0000000',
      parentId: session.leaf,
      timestamp: new Date(NOW_MS).toISOString(),
      summary: expect.stringContaining(HISTORY),
      shortSummary: SHORT,
      firstKeptEntryId: turns[3]?.user,
      tokensBefore: 5000,
      details: { readFiles: [], modifiedFiles: [] },
      preserveData: {},
    })
  })

  it('takes no id that the session has, and hangs the entry at the asked leaf', async () => {
    const { session, turns } = talk()
    session.add({ type: 'label', id: 'c0000000', parentId: session.leaf })
    const leafId = turns[4]?.assistant
    const { entry } = await pipelineWorld().session({ entries: session.rows, settings, leafId })
    expect(entry).toMatchObject({ id: 'c0000001', parentId: leafId })
  })

  it('accounts for the pass: plan, progress, audit, calls and usage of all of them', async () => {
    const { session } = talk()
    const world = pipelineWorld()
    const result = await world.session({ entries: session.rows, settings })
    expect(result.plan?.tokens).toEqual({ history: 3000, turnPrefix: 0, kept: 2000 })
    expect(result.progress).toMatchObject({ tokensBefore: 5000, madeProgress: true })
    expect(result.calls.map(({ kind }) => kind)).toEqual(['history', 'short'])
    expect(result.usage).toEqual({ inputTokens: 20, outputTokens: 4, costUsd: 1 })
    expect(result).toMatchObject({ compacted: true, method: 'model', degraded: false, warnings: [] })
    expect(result.audit?.facts).toBeGreaterThan(0)
    expect(world.audits).toHaveLength(1)
    expect(world.facts).toEqual([
      expect.objectContaining({ kind: 'session', reason: 'manual', result: 'compacted', splitTurn: false }),
    ])
  })

  it('T09 tells of no user where none speaks', async () => {
    const session = new SessionBuilder()
    for (let n = 0; n < 6; n += 1) session.tool(`c${n}`, text(1000, `output ${n}`))
    const world = pipelineWorld()
    const result = await world.session({ entries: session.rows, settings })
    expect(result.compacted).toBe(true)
    expect(world.prompt('history')).not.toMatch(/^\[User\]:/m)
    expect(result.entry?.summary).not.toContain('Newest request')
  })

  it('never writes to what it was given', async () => {
    const { session } = splitTalk()
    const rows = deepFreeze(structuredClone(session.rows))
    await pipelineWorld().session({ entries: rows, settings, coverage: true, pinned: ['plan'] })
    expect(rows).toEqual(session.rows)
  })

  it('reads files of format v1, whose entries have no ids', async () => {
    const message = (role: string, content: string) => ({ type: 'message', message: { role, content } })
    const rows = [
      { type: 'session', id: 's' },
      ...Array.from({ length: 6 }, (_, n) => message(n % 2 ? 'assistant' : 'user', text(1000, `row ${n}`))),
    ]
    const { entry, plan } = await pipelineWorld().session({ entries: rows, settings })
    expect(plan?.keptEntryIds).toEqual(['00000005', '00000006'])
    expect(entry).toMatchObject({ parentId: '00000006', firstKeptEntryId: '00000005' })
  })
})

describe('compactSession, a split turn', () => {
  it('merges history and turn prefix in the form that agents know', async () => {
    const { session, ask, first, second } = splitTalk()
    const { entry, plan } = await pipelineWorld().session({ entries: session.rows, settings })
    expect(plan).toMatchObject({ isSplitTurn: true, turnPrefixEntryIds: [ask, first], keptEntryIds: [second] })
    expect(entry?.summary).toContain(`${HISTORY}\n\n---\n\n**Turn Context (split turn):**\n\n${PREFIX}`)
  })

  it('puts the previous summary verbatim in the place of an empty history, without a call for it', async () => {
    const session = new SessionBuilder()
    session.turns(1)
    session.compaction('## Goal\ncarried  goal,\n\n\nas it was', 'ffffffff')
    session.user('one long job')
    session.assistant(text(1500, 'first half'))
    session.assistant(text(1500, 'second half'))
    const world = pipelineWorld()
    const { entry } = await world.session({ entries: session.rows, settings })
    expect(entry?.summary).toContain(`## Goal\ncarried  goal,\n\n\nas it was\n\n---\n\n**Turn Context (split turn):**`)
    expect(world.asked.map(({ kind }) => kind).sort()).toEqual(['prefix', 'short'])
  })

  it('says so where there is neither history nor previous summary', async () => {
    const session = new SessionBuilder()
    session.user('one long job')
    session.assistant(text(1500, 'first half'))
    session.assistant(text(1500, 'second half'))
    const { entry } = await pipelineWorld().session({ entries: session.rows, settings })
    expect(entry?.summary).toContain(`No prior history.\n\n---\n\n**Turn Context (split turn):**\n\n${PREFIX}`)
  })

  it('B156 the reasoning of the prefix reaches the call that summarises it', async () => {
    const { session } = talk()
    session.user('the long job')
    session.message({
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: 'the lock is taken twice' },
        { type: 'text', text: text(1500, 'first half') },
      ],
    })
    session.assistant(text(1500, 'second half'))
    const world = pipelineWorld()
    await world.session({ entries: session.rows, settings })
    expect(world.prompt('prefix')).toContain('[Assistant thinking]: the lock is taken twice')
  })
})

describe('compactSession, what the agent goes on with', () => {
  it('B144 is the summary, what was kept and nothing else', async () => {
    const { session } = talk()
    const { context, entry } = await pipelineWorld().session({ entries: session.rows, settings })
    const roles = context?.messages.map((message) => (message as { role: string }).role)
    expect(roles).toEqual(['compactionSummary', 'user', 'assistant', 'user', 'assistant'])
    expect(context?.messages[0]).toMatchObject({ summary: entry?.summary, shortSummary: SHORT, tokensBefore: 5000 })
    expect(JSON.stringify(context)).not.toContain('answer 2')
  })

  it('keeps unknown fields of messages and entries', async () => {
    const { session } = talk()
    session.message({ role: 'user', content: 'mind me', x_vendor: { deep: [1] } })
    session.add({ type: 'custom_message', customType: 'note', content: 'and me', display: true, x_note: 7 })
    const { context } = await pipelineWorld().session({ entries: session.rows, settings })
    expect(context?.messages).toContainEqual(expect.objectContaining({ content: 'mind me', x_vendor: { deep: [1] } }))
    expect(context?.messages).toContainEqual(expect.objectContaining({ content: 'and me', x_note: 7 }))
  })

  it('is left out on request', async () => {
    const { session } = talk()
    const { context } = await pipelineWorld().session({ entries: session.rows, settings, returnContext: false })
    expect(context).toBeUndefined()
  })

  it.each([
    ['manual', {}, { willRetry: false, dropEntryId: null, continuePrompt: null }],
    ['idle', {}, { willRetry: false, dropEntryId: null, continuePrompt: null }],
    ['threshold', {}, { willRetry: false, dropEntryId: null, continuePrompt: 'Continue if you have next steps.' }],
    ['threshold', { autoContinue: false }, { willRetry: false, dropEntryId: null, continuePrompt: null }],
  ])('next after %s with %o', async (reason, more, next) => {
    const { session } = talk()
    session.user('one more')
    session.assistant('ready', [], { usage: usage(190_000) })
    const result = await pipelineWorld().session({ entries: session.rows, reason, settings: more, prune: false })
    expect(result).toMatchObject({ compacted: true, next })
  })

  it('an overflow drops the failed answer from context and coverage, the entry still hangs at it', async () => {
    const { session } = talk()
    session.user('one more')
    const failed = session.assistant('', [], { stopReason: 'error', errorMessage: 'prompt is too long' })
    const result = await pipelineWorld().session({
      entries: session.rows,
      reason: 'overflow',
      settings,
      coverage: true,
    })
    expect(result.next).toEqual({ willRetry: true, dropEntryId: failed, continuePrompt: null })
    expect(result.entry?.parentId).toBe(failed)
    expect(result.plan?.coverage).toContainEqual({ id: failed, fate: 'ignored', tokens: 0 })
    expect(JSON.stringify(result.context)).not.toContain('prompt is too long')
  })

  it.each([
    ['overflow', 40, { max: 90, used: 39, remaining: 51, refunded: 1 }],
    ['overflow', 0, { max: 90, used: 0, remaining: 90, refunded: 0 }],
    ['overflow', 95, { max: 90, used: 94, remaining: 0, refunded: 1 }],
    ['manual', 40, { max: 90, used: 40, remaining: 50, refunded: 0 }],
  ])('gives back at most the interrupted call: %s with %d used', async (reason, used, after) => {
    const { session } = talk()
    const body = { entries: session.rows, reason, settings, iterationBudget: { max: 90, used } }
    expect((await pipelineWorld().session(body)).iterationBudget).toEqual(after)
  })
})

describe('compactSession, coverage', () => {
  it('gives every row of the file exactly one fate, in order, and its sums are those of the plan', async () => {
    const { session } = splitTalk()
    const { plan } = await pipelineWorld().session({ entries: session.rows, settings, coverage: true })
    const coverage = plan?.coverage ?? []
    expect(coverage).toHaveLength(session.rows.length)
    expect(coverage[0]).toMatchObject({ id: 'session-1', fate: 'ignored' })
    const sum = (fate: string) =>
      coverage.filter((row) => row.fate === fate).reduce((tokens, row) => tokens + row.tokens, 0)
    expect({ history: sum('summarized'), turnPrefix: sum('turn-prefix'), kept: sum('kept') }).toEqual(plan?.tokens)
  })

  it('B200 calls pruned what was pruned and ignored what stands on another branch', async () => {
    const session = new SessionBuilder()
    const root = session.user('work')
    const [, old] = session.tool('c1', text(3000))
    const dead = session.at(root).user('another way')
    session.at(old)
    session.tool('c2', text(3000))
    session.turns(3)
    const prune = { protectTokens: 2000, minimumSavings: 100 }
    const { plan, pruned } = await pipelineWorld().session({ entries: session.rows, settings, prune, coverage: true })
    expect(pruned).toMatchObject({ count: 1, entries: [{ id: old, tokens: 3000 }] })
    expect(plan?.coverage).toContainEqual({ id: old, fate: 'pruned', tokens: 3000 })
    expect(plan?.coverage).toContainEqual(expect.objectContaining({ id: dead, fate: 'ignored' }))
  })
})

describe('compactSession, data that is carried', () => {
  it('merges preserveData: the previous compaction, then the request', async () => {
    const { session, turns } = talk(4)
    session.compaction('## Goal\nold', turns[3]?.user ?? '', {
      preserveData: { a: 1, b: 1, openaiRemoteCompaction: { replacementHistory: [] } },
    })
    session.turns(4)
    const { entry } = await pipelineWorld().session({ entries: session.rows, settings, preserveData: { b: 2, c: 3 } })
    expect(entry?.preserveData).toEqual({ a: 1, b: 2, c: 3 })
  })

  it('B147 B149 B150 copies pinned texts verbatim, pass after pass, once', async () => {
    const pinned = ['- [ ] step one\n- [x]  step two', 'plan: docs/plan.md']
    const { session } = talk()
    const world = pipelineWorld()
    let entries: readonly object[] = session.rows
    for (let pass = 0; pass < 3; pass += 1) {
      // The second pass forgets to send them: they stay in force.
      const body = { entries, settings, ...(pass === 1 ? {} : { pinned }) }
      const { entry } = await world.session(body)
      expect(entry?.summary.split(pinned.join('\n\n'))).toHaveLength(2)
      const later = new SessionBuilder()
      later.rows.splice(0, 1, ...entries.map((row) => ({ ...row })), { ...entry })
      later.at(entry?.id ?? null).turns(4)
      entries = later.rows
    }
    expect((await world.session({ entries, settings, pinned: [] })).entry?.summary).not.toContain('step one')
  })

  it('lists files cumulatively over our own compactions, those of the prefix included', async () => {
    const { session, turns } = talk(4)
    session.compaction('## Goal\nold', turns[3]?.user ?? '', {
      details: { readFiles: ['src/a.ts', 'src/b.ts'], modifiedFiles: ['src/c.ts'] },
    })
    session.assistant('', [{ id: 'e1', name: 'edit', arguments: { path: 'src/b.ts' } }])
    session.result('e1', 'ok')
    session.turns(3)
    session.user('long job')
    session.assistant('', [{ id: 'w1', name: 'write', arguments: { path: 'src/d.ts' } }])
    session.result('w1', text(1500))
    session.assistant(text(1500))
    const { entry } = await pipelineWorld().session({ entries: session.rows, settings: { keepRecentTokens: 1600 } })
    expect(entry?.details).toEqual({ readFiles: ['src/a.ts'], modifiedFiles: ['src/b.ts', 'src/c.ts', 'src/d.ts'] })
    expect(entry?.summary).toMatch(
      /<read-files>\nsrc\/a\.ts\n<\/read-files>\n<modified-files>\nsrc\/b\.ts\nsrc\/c\.ts\nsrc\/d\.ts\n<\/modified-files>$/,
    )
  })
})

describe('compactSession, method', () => {
  it.each(['fold', 'moa', 'remote', 'extractive'] as const)('says %s where the summary was made so', async (method) => {
    const { session } = talk()
    const world = pipelineWorld({
      reply: (kind) => (kind === 'history' ? completionOf('alpha/small', HISTORY, { method }) : undefined),
    })
    expect((await world.session({ entries: session.rows, settings })).method).toBe(method)
  })

  it('is that of the summary, whoever made the short one', async () => {
    const { session } = talk()
    const world = pipelineWorld({
      reply: (kind) =>
        kind === 'short'
          ? completionOf('recapd/extractive', SHORT, { method: 'extractive', degraded: true })
          : undefined,
    })
    expect(await world.session({ entries: session.rows, settings })).toMatchObject({ method: 'model', degraded: false })
  })
})
