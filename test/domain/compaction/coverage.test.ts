import { describe, expect, it } from 'vitest'
import { coverageOf } from '../../../src/domain/compaction/coverage.ts'
import { planCompaction } from '../../../src/domain/compaction/plan.ts'
import { NOTHING_PRUNED } from '../../../src/domain/compaction/prune-entries.ts'
import { SessionBuilder, text } from '../../support/session-builder.ts'

describe('coverageOf', () => {
  it('gives every row of the input exactly one fate, in order', () => {
    const builder = new SessionBuilder()
    builder.rows.unshift({ type: 'title', v: 1 })
    const before = builder.user('before')
    const reset = builder.add({ type: 'reset_boundary' })
    const old = builder.user(text(100, 'old'))
    const carried = builder.user(text(100, 'carried'))
    const earlier = builder.compaction('earlier', carried)
    const dead = builder.user('dead branch')
    builder.at(earlier)
    const [turn] = builder.turns(1)
    const ask = builder.user(text(10))
    const [call, output] = builder.tool('c', text(100))
    const kept = builder.assistant(text(400))
    const failed = builder.assistant('', [], { stopReason: 'error' })
    const live = builder.live(failed)
    const outcome = planCompaction({ live, keepRecentTokens: 450, dropEntryId: failed })
    if (outcome.kind !== 'plan') throw new Error(outcome.reason)
    const pruned = { count: 1, tokensSaved: 91, entries: [{ id: output, text: 'cut', tokens: 100 }] }
    const rows = coverageOf({ session: builder.read(), live, report: outcome.plan.report, pruned })
    expect(rows.map((row) => ['id' in row ? row.id : row.index, row.fate, row.tokens])).toEqual([
      [0, 'ignored', 0],
      ['session-1', 'ignored', 0],
      [before, 'ignored', 2],
      [reset, 'ignored', 0],
      [old, 'carried', 100],
      [carried, 'summarized', 100],
      [earlier, 'carried', 2],
      [dead, 'ignored', 3],
      [turn?.user, 'summarized', 100],
      [turn?.assistant, 'summarized', 900],
      [ask, 'turn-prefix', 10],
      [call, 'turn-prefix', 2],
      [output, 'pruned', 100],
      [kept, 'kept', 400],
      [failed, 'ignored', 0],
    ])
  })

  it('agrees with the lists of the plan', () => {
    const builder = new SessionBuilder()
    builder.turns(6)
    const live = builder.live()
    const outcome = planCompaction({ live, keepRecentTokens: 2999 })
    if (outcome.kind !== 'plan') throw new Error(outcome.reason)
    const { report } = outcome.plan
    const rows = coverageOf({ session: builder.read(), live, report, pruned: NOTHING_PRUNED })
    const idsOf = (fate: string) => rows.filter((row) => row.fate === fate).map((row) => ('id' in row ? row.id : ''))
    expect(idsOf('summarized')).toEqual(report.summarizedEntryIds)
    expect(idsOf('turn-prefix')).toEqual(report.turnPrefixEntryIds)
    expect(idsOf('kept')).toEqual(report.keptEntryIds)
  })
})
