import { describe, expect, it } from 'vitest'
import { HISTORY, pipelineWorld } from '../support/pipeline-world.ts'
import { SessionBuilder, text } from '../support/session-builder.ts'

const settings = { keepRecentTokens: 2100 }

function stage() {
  const world = pipelineWorld()
  const session = new SessionBuilder()
  session.turns(5)
  const compact = (more: object = {}) => world.compact({ entries: [...session.rows], settings, ...more })
  return { world, session, compact, asked: () => world.asked.length }
}

describe('compact with ahead: true', () => {
  it('makes the summary, changes nothing, and counts no compaction', async () => {
    const { world, compact, asked } = stage()
    expect(await compact({ ahead: true })).toMatchObject({
      prepared: true,
      plan: { tokens: { history: 3000 } },
      calls: [{ kind: 'history' }, { kind: 'short' }],
    })
    expect(asked()).toBe(2)
    expect(world.facts).toEqual([])
  })

  it('is taken by the next compaction, which asks nobody', async () => {
    const { session, compact, asked } = stage()
    await compact({ ahead: true })
    session.user('one more')
    const result = await compact()
    expect(result).toMatchObject({ compacted: true, method: 'prepared', calls: [], usage: { costUsd: 0 } })
    expect(result).toMatchObject({ entry: { summary: expect.stringContaining(HISTORY), parentId: session.leaf } })
    expect(asked()).toBe(2)
  })

  it('is built upon when too much came since', async () => {
    const { session, compact, asked } = stage()
    await compact({ ahead: true })
    session.turns(4)
    const result = await compact({ shortSummary: true })
    expect(result).toMatchObject({ compacted: true, method: 'model' })
    expect(asked()).toBe(4)
  })

  it.each([
    ['other instructions', { customInstructions: 'Only the tests.' }],
    ['another prompt', { promptOverride: 'Say it in one word.' }],
    ['more context', { additionalContext: ['The plan: ship.'] }],
    ['no short summary', { shortSummary: false }],
  ])('does not fit %s', async (_what, more) => {
    const { compact } = stage()
    await compact({ ahead: true })
    expect(await compact(more)).toMatchObject({ compacted: true, method: 'model' })
  })

  it('serves whoever prunes first as well', async () => {
    const { session, compact } = stage()
    await compact({ ahead: true })
    session.user(text(100, 'one more'))
    expect(await compact({ prune: true })).toMatchObject({ method: 'prepared' })
  })

  it.each([
    ['nothing-to-compact', { settings: { keepRecentTokens: 50_000 } }],
    ['dry-run', { dryRun: true }],
    ['disabled', { reason: 'threshold', settings: { ...settings, enabled: false } }],
  ])('says why nothing was prepared: %s', async (reason, more) => {
    const { compact, asked } = stage()
    expect(await compact({ ahead: true, ...more })).toMatchObject({ prepared: false, reason })
    expect(asked()).toBe(0)
  })
})
