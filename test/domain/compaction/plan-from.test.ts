import { describe, expect, it } from 'vitest'
import { type PlanReport, planCompaction } from '../../../src/domain/compaction/plan.ts'
import { planFrom } from '../../../src/domain/compaction/plan-from.ts'
import { SessionBuilder } from '../../support/session-builder.ts'

function planned(builder: SessionBuilder) {
  const live = builder.live()
  const outcome = planCompaction({ live, keepRecentTokens: 1500 })
  if (outcome.kind === 'none') throw new Error('there was nothing to plan')
  const from = (firstKeptEntryId: string, dropEntryId: string | null = null): PlanReport =>
    planFrom(live, outcome.plan.report, { firstKeptEntryId, dropEntryId })
  return { report: outcome.plan.report, from }
}

describe('planFrom', () => {
  it('is the plan itself where the cut is the same', () => {
    const builder = new SessionBuilder()
    builder.turns(4)
    const { report, from } = planned(builder)
    expect(from(report.firstKeptEntryId)).toBe(report)
  })

  it('parts everything live at the entry that is named', () => {
    const builder = new SessionBuilder()
    const [one, two, three] = builder.turns(3)
    const { from } = planned(builder)
    expect(from(two?.assistant ?? '')).toEqual({
      firstKeptEntryId: two?.assistant,
      isSplitTurn: false,
      summarizedEntryIds: [one?.user, one?.assistant, two?.user],
      turnPrefixEntryIds: [],
      keptEntryIds: [two?.assistant, three?.user, three?.assistant],
      keepRecentTokens: 1500,
      tokens: { history: 1100, turnPrefix: 0, kept: 1900 },
    })
    expect(from(two?.assistant ?? '', three?.assistant).keptEntryIds).toEqual([two?.assistant, three?.user])
  })

  it('brings entries back from before the last compaction, none from before a reset', () => {
    const builder = new SessionBuilder()
    const lost = builder.user('before the reset')
    builder.add({ type: 'reset_boundary' })
    const [one] = builder.turns(1)
    builder.compaction('earlier', one?.assistant ?? '')
    builder.turns(3)
    const { from } = planned(builder)
    expect(from(one?.user ?? '')).toMatchObject({ summarizedEntryIds: [], keptEntryIds: { length: 8 } })
    expect(from(lost).keptEntryIds).not.toContain(lost)
    expect(from(lost).keptEntryIds).toHaveLength(8)
  })
})
