import { describe, expect, it } from 'vitest'
import type {
  RecapdHooks,
  SessionBeforeCompactEvent,
  SessionCompactEvent,
  SessionCompactingEvent,
} from '../../src/hooks/hook-types.ts'
import { compactSessionResult } from '../../src/pipelines/compact-result-schema.ts'
import { deepFreeze } from '../support/deep-freeze.ts'
import { hooksOf } from '../support/hook-file.ts'
import { blockOf, HISTORY, instructionsOf, pipelineWorld } from '../support/pipeline-world.ts'
import { SessionBuilder } from '../support/session-builder.ts'

/** Four turns of 1000 tokens; with 1500 to keep, the last one stays. */
function talk() {
  const builder = new SessionBuilder()
  const turns = builder.turns(4)
  const [, second, , last] = turns
  if (second === undefined || last === undefined) throw new Error('four turns were asked for')
  return { builder, body: { entries: builder.rows, settings: { keepRecentTokens: 1500 } }, second, last }
}

function worldOf(hooks: RecapdHooks) {
  const record = hooksOf(hooks)
  return { ...pipelineWorld({ hooks: record.hooks }), ...record }
}

const OWN = { summary: 'OWN', tokensBefore: 4711, details: { modifiedFiles: ['hook.ts'] } }

describe('session_before_compact', () => {
  it('sees the plan and the path', async () => {
    const { body, builder, last } = talk()
    const seen: SessionBeforeCompactEvent[] = []
    const world = worldOf({ session_before_compact: (event) => void seen.push(event) })
    deepFreeze(builder.rows.slice())
    const result = await world.session({ ...body, customInstructions: 'be kind' })
    const [event] = seen
    expect(event?.branchEntries).toEqual(builder.rows.slice(1))
    expect(event?.customInstructions).toBe('be kind')
    expect(event?.preparation).toMatchObject({
      firstKeptEntryId: last.user,
      isSplitTurn: false,
      tokensBefore: result.entry?.tokensBefore,
      messagesToSummarize: { length: 6 },
      turnPrefixMessages: [],
      recentMessages: { length: 2 },
      fileOps: { readFiles: [], modifiedFiles: [] },
      settings: { keepRecentTokens: 1500 },
    })
    expect(result).toMatchObject({ compacted: true, method: 'model', warnings: [] })
  })

  it('cancels, and nothing is asked of a model', async () => {
    const { body } = talk()
    const world = worldOf({ session_before_compact: () => ({ cancel: true }), session_compact: () => 'never' })
    const result = await world.session(body)
    expect(result).toMatchObject({ compacted: false, reason: 'cancelled-by-hook', method: 'none', warnings: [] })
    expect(result.entry).toBeUndefined()
    expect([world.asked, world.runs]).toEqual([[], ['session_before_compact']])
    expect(world.facts).toMatchObject([{ kind: 'session', result: 'cancelled-by-hook' }])
  })

  it('brings its own compaction, stored as it is', async () => {
    const { body, last } = talk()
    const compaction = { ...OWN, firstKeptEntryId: last.user, shortSummary: 'SHORT', preserveData: { a: 1 } }
    const world = worldOf({ session_before_compact: () => ({ compaction }), 'session.compacting': () => ({}) })
    const result = await world.session({ ...body, pinned: ['a plan'], preserveData: { a: 0, b: 2 } })
    expect(compactSessionResult.safeParse(result).error).toBeUndefined()
    expect(result.entry).toMatchObject({ ...compaction, fromExtension: true, preserveData: { a: 1, b: 2 } })
    expect(result).toMatchObject({ compacted: true, method: 'hook', calls: [], degraded: false, warnings: [] })
    expect(result.context?.messages).toHaveLength(3)
    expect([world.asked, world.runs]).toEqual([[], ['session_before_compact']])
  })

  it('may cut elsewhere on the path, and the plan says so', async () => {
    const { body, second } = talk()
    const compaction = { ...OWN, firstKeptEntryId: second.assistant }
    const world = worldOf({ session_before_compact: () => ({ compaction }) })
    const { plan, context } = await world.session({ ...body, coverage: true })
    expect(plan).toMatchObject({ firstKeptEntryId: second.assistant, summarizedEntryIds: { length: 3 } })
    expect(plan?.keptEntryIds).toHaveLength(5)
    expect(context?.messages).toHaveLength(6)
    expect(plan?.coverage?.filter(({ fate }) => fate === 'kept')).toHaveLength(5)
  })

  it.each([
    ['an entry off the path', { ...OWN, firstKeptEntryId: 'nobody' }],
    ['no count of tokens', { summary: 'OWN', firstKeptEntryId: 'x' }],
    ['a blank summary', { ...OWN, summary: ' ', firstKeptEntryId: 'x' }],
  ])('is ignored with %s', async (_name, compaction) => {
    const { body } = talk()
    const world = worldOf({ session_before_compact: () => ({ compaction }) as object })
    const result = await world.session(body)
    expect(result).toMatchObject({ compacted: true, method: 'model' })
    expect(result.entry?.summary).toContain(HISTORY)
    expect(result.entry?.fromExtension).toBeUndefined()
    expect(result.warnings).toEqual([expect.stringContaining('session_before_compact')])
    expect(world.faults).toHaveLength(1)
  })

  it('decides in a dry run too, where nothing is announced', async () => {
    const { body, last } = talk()
    const compaction = { ...OWN, firstKeptEntryId: last.user }
    const world = worldOf({ session_before_compact: () => ({ compaction }), session_compact() {} })
    const result = await world.session({ ...body, dryRun: true })
    expect(result).toMatchObject({ compacted: false, reason: 'dry-run', prompts: [] })
    expect(result.entry).toBeUndefined()
    expect(world.runs).toEqual(['session_before_compact'])
  })

  it('is not asked where there is nothing to compact, nor for message lists', async () => {
    const world = worldOf({ session_before_compact: () => ({ cancel: true }) })
    const builder = new SessionBuilder()
    builder.turns(1)
    expect(await world.session({ entries: builder.rows })).toMatchObject({ reason: 'nothing-to-compact' })
    const messages = Array.from({ length: 60 }, (_, n) => ({
      role: n % 2 ? 'assistant' : 'user',
      content: `${n} said`,
    }))
    await world.list({ messages, contextWindow: 1_000 })
    expect(world.runs).toEqual([])
  })
})

describe('session.compacting', () => {
  it('adds context, replaces the instructions of the history, stores data', async () => {
    const { body } = talk()
    const seen: SessionCompactingEvent[] = []
    const world = worldOf({
      'session.compacting': (event) => {
        seen.push(event)
        return { context: ['from the hook'], prompt: 'HOOK PROMPT', preserveData: { hook: { n: 5 } } }
      },
    })
    const result = await world.session({ ...body, additionalContext: ['own'], preserveData: { own: 1 } })
    expect(seen).toMatchObject([{ sessionId: 'session-1', messages: { length: 6 } }])
    expect(blockOf(world.prompt('history'), 'additional-context')).toBe('- own\n- from the hook')
    expect(instructionsOf(world.prompt('history'))).toBe('HOOK PROMPT')
    expect(instructionsOf(world.prompt('short'))).not.toContain('HOOK PROMPT')
    expect(result.entry?.preserveData).toEqual({ own: 1, hook: { n: 5 } })
  })

  it('changes nothing with a blank prompt or nonsense', async () => {
    const { body } = talk()
    for (const answer of [{ prompt: ' ' }, { context: 'no list' }]) {
      const world = worldOf({ 'session.compacting': () => answer as object })
      await world.session({ ...body, sessionId: 'mine' })
      expect(world.asked[0]?.expects).toBe('headings')
      expect(blockOf(world.prompt('history'), 'additional-context')).toBeUndefined()
    }
  })
})

describe('session_compact', () => {
  it('hears of the entry before the answer leaves', async () => {
    const { body, last } = talk()
    const seen: SessionCompactEvent[] = []
    const note = (event: SessionCompactEvent) => void seen.push(event)
    const usual = await worldOf({ session_compact: note }).session(body)
    const compaction = { ...OWN, firstKeptEntryId: last.user }
    const own = await worldOf({ session_compact: note, session_before_compact: () => ({ compaction }) }).session(body)
    expect(seen).toEqual([
      { compactionEntry: usual.entry, fromExtension: false },
      { compactionEntry: own.entry, fromExtension: true },
    ])
  })

  it('cannot undo it by throwing', async () => {
    const { body } = talk()
    const world = worldOf({
      session_compact() {
        throw new Error('SECRET')
      },
    })
    const result = await world.session(body)
    expect(result.compacted).toBe(true)
    expect(result.warnings).toEqual(['The hook session_compact threw; it was ignored.'])
  })
})
