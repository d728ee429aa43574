import { describe, expect, it } from 'vitest'
import type { RecapdHooks, SessionBeforeTreeEvent, SessionTreeEvent } from '../../src/hooks/hook-types.ts'
import { branchSummaryResult } from '../../src/pipelines/branch/branch-schema.ts'
import { deepFreeze } from '../support/deep-freeze.ts'
import { hooksOf } from '../support/hook-file.ts'
import { fork, navigate } from '../support/navigate.ts'
import { pipelineWorld } from '../support/pipeline-world.ts'

function worldOf(hooks: RecapdHooks) {
  const record = hooksOf(hooks)
  return { ...pipelineWorld({ hooks: record.hooks }), ...record }
}

const OWN = { summary: { summary: 'OWN <b>', details: { modifiedFiles: ['hook.ts'] } } }

describe('session_before_tree', () => {
  it('sees what is left, and whether a summary was asked for', async () => {
    const { entries, b, c, d, f } = fork()
    deepFreeze(entries.slice())
    const seen: SessionBeforeTreeEvent['preparation'][] = []
    const world = worldOf({ session_before_tree: ({ preparation }) => void seen.push(preparation) })
    await navigate(world, { entries, oldLeafId: d, targetId: f })
    await navigate(world, { entries, oldLeafId: null, targetId: f, summarize: false })
    const left = entries.filter(({ id }) => id === c || id === d)
    expect(seen).toEqual([
      { targetId: f, oldLeafId: d, commonAncestorId: b, entriesToSummarize: left, userWantsSummary: true },
      { targetId: f, oldLeafId: null, commonAncestorId: null, entriesToSummarize: [], userWantsSummary: false },
    ])
  })

  it('cancels: the leaf stays, no model is asked, nobody is told of a navigation', async () => {
    const { entries, d, e } = fork()
    const world = worldOf({ session_before_tree: () => ({ cancel: true, ...OWN }), session_tree() {} })
    const result = await navigate(world, { entries, oldLeafId: d, targetId: e })
    expect(branchSummaryResult.safeParse(result).error).toBeUndefined()
    expect(result).toMatchObject({
      summarized: false,
      entry: null,
      cancelled: true,
      reason: 'cancelled-by-hook',
      newLeafId: d,
      editorText: null,
    })
    expect([world.asked, world.runs]).toEqual([[], ['session_before_tree']])
    expect(world.facts).toMatchObject([{ kind: 'branch', result: 'cancelled-by-hook' }])
  })

  it('brings its own summary, stored as it is', async () => {
    const { entries, d, f } = fork()
    const world = worldOf({ session_before_tree: () => OWN })
    const result = await navigate(world, { entries, oldLeafId: d, targetId: f })
    expect(result).toMatchObject({ summarized: true, method: 'hook', calls: [], degraded: false })
    expect(result.entry).toMatchObject({ parentId: f, fromId: f, ...OWN.summary, fromExtension: true })
    expect(result.newLeafId).toBe(result.entry?.id)
    expect(world.asked).toEqual([])
  })

  it('brings it in vain where none was asked for, nothing was left, or it is a dry run', async () => {
    const { entries, b, d, f } = fork()
    const world = worldOf({ session_before_tree: () => OWN, session_tree() {} })
    const reasonOf = async (body: object) => (await navigate(world, { entries, targetId: f, ...body })).reason
    expect(await reasonOf({ oldLeafId: d, summarize: false })).toBe('not-asked')
    expect(await reasonOf({ oldLeafId: b })).toBe('nothing-to-summarize')
    expect(await reasonOf({ oldLeafId: d, dryRun: true })).toBe('dry-run')
    expect(await reasonOf({ oldLeafId: f })).toBe('nothing-to-summarize')
    const told = ['session_before_tree', 'session_tree', 'session_before_tree', 'session_tree', 'session_before_tree']
    expect(world.runs).toEqual(told)
    expect(world.asked).toEqual([])
  })

  it('is ignored when it throws: the model is asked', async () => {
    const { entries, d, f } = fork()
    const world = worldOf({ session_before_tree: () => Promise.reject(new Error('SECRET')) })
    const result = await navigate(world, { entries, oldLeafId: d, targetId: f })
    expect(result).toMatchObject({ summarized: true, method: 'model' })
    expect(result.warnings).toEqual(['The hook session_before_tree threw; it was ignored.'])
  })
})

describe('session_tree', () => {
  it('hears where the agent stands, and of the summary', async () => {
    const { entries, b, d, e, f } = fork()
    const seen: SessionTreeEvent[] = []
    const note = (event: SessionTreeEvent) => void seen.push(event)
    const usual = await navigate(worldOf({ session_tree: note }), { entries, oldLeafId: d, targetId: f })
    await navigate(worldOf({ session_tree: note }), { entries, oldLeafId: d, targetId: e, summarize: false })
    await navigate(worldOf({ session_tree: note, session_before_tree: () => OWN }), {
      entries,
      oldLeafId: d,
      targetId: f,
    })
    const { entry, newLeafId } = usual
    expect(seen).toMatchObject([
      { newLeafId, oldLeafId: d, summaryEntry: entry, fromExtension: false },
      { newLeafId: b, oldLeafId: d },
      { oldLeafId: d, summaryEntry: { summary: 'OWN <b>' }, fromExtension: true },
    ])
    expect(seen[1]).not.toHaveProperty('summaryEntry')
  })

  it('cannot undo it by throwing', async () => {
    const { entries, d, f } = fork()
    const world = worldOf({ session_tree: () => Promise.reject('SECRET') })
    const result = await navigate(world, { entries, oldLeafId: d, targetId: f })
    expect(result.summarized).toBe(true)
    expect(result.warnings).toEqual(['The hook session_tree threw; it was ignored.'])
  })
})
