import { describe, expect, it } from 'vitest'
import { adaptedKeep, type CompactionPlan, planCompaction } from '../../../src/domain/compaction/plan.ts'
import { planFileLists } from '../../../src/domain/compaction/plan-file-lists.ts'
import { SessionBuilder, text, usage } from '../../support/session-builder.ts'

function planOf(builder: SessionBuilder, keepRecentTokens: number, extra = {}): CompactionPlan {
  const outcome = planCompaction({ live: builder.live(), keepRecentTokens, ...extra })
  if (outcome.kind !== 'plan') throw new Error(outcome.reason)
  return outcome.plan
}

function reasonOf(builder: SessionBuilder, keepRecentTokens: number): string {
  const outcome = planCompaction({ live: builder.live(), keepRecentTokens })
  return outcome.kind === 'none' ? outcome.reason : outcome.kind
}

describe('planCompaction', () => {
  it('gives the tokens of its three parts', () => {
    const builder = new SessionBuilder()
    builder.turns(5)
    const { report, historyMessages, prefixMessages, keptMessages } = planOf(builder, 2999)
    expect(report).toMatchObject({ isSplitTurn: true, tokens: { history: 2000, turnPrefix: 100, kept: 2900 } })
    expect([historyMessages.length, prefixMessages.length, keptMessages.length]).toEqual([4, 1, 5])
  })

  it('puts what the previous compaction kept in front of the history', () => {
    const builder = new SessionBuilder()
    const old = builder.turns(4, 'old')
    builder.compaction('earlier', old[2]?.user ?? '', {
      details: { readFiles: ['r'], modifiedFiles: [] },
      preserveData: { a: 1, openaiRemoteCompaction: {} },
    })
    const fresh = builder.turns(4, 'fresh')
    const plan = planOf(builder, 2500)
    expect(plan.report.firstKeptEntryId).toBe(fresh[2]?.user)
    expect(plan.report.summarizedEntryIds).toEqual(
      [...old.slice(2), ...fresh.slice(0, 2)].flatMap((turn) => [turn.user, turn.assistant]),
    )
    expect(plan).toMatchObject({ previousSummary: 'earlier', previousPreserveData: { a: 1 } })
    expect(plan.previousPreserveData).not.toHaveProperty('openaiRemoteCompaction')
    expect(planFileLists(plan).readFiles).toEqual(['r'])
  })

  it.each([{ fromExtension: true }, { fromHook: true }])('does not build on the file lists of others: %o', (others) => {
    const builder = new SessionBuilder()
    builder.turns(1)
    builder.compaction('earlier', 'ffffffff', { details: { readFiles: ['r'], modifiedFiles: ['m'] }, ...others })
    builder.turns(3)
    const plan = planOf(builder, 1000)
    expect(plan.previousSummary).toBe('earlier')
    expect(planFileLists(plan)).toEqual({ readFiles: [], modifiedFiles: [] })
  })

  it('splits a turn that began before the previous compaction: history before it, prefix from it', () => {
    const builder = new SessionBuilder()
    const [turn] = builder.turns(1)
    const ask = builder.user(text(100, 'long job'))
    const step = builder.assistant(text(500))
    builder.compaction('earlier', turn?.user ?? '')
    const more = builder.assistant(text(900))
    builder.assistant(text(900))
    const { report } = planOf(builder, 1000)
    expect(report.summarizedEntryIds).toEqual([turn?.user, turn?.assistant])
    expect(report.turnPrefixEntryIds).toEqual([ask, step, more])
  })

  it('has a prefix without history when the whole of it is one turn', () => {
    const builder = new SessionBuilder()
    const ask = builder.user('only job')
    builder.assistant(text(900))
    builder.assistant(text(900))
    expect(planOf(builder, 1000).report).toMatchObject({
      isSplitTurn: true,
      summarizedEntryIds: [],
      turnPrefixEntryIds: [ask, expect.any(String)],
    })
  })

  it('lists metadata with its region', () => {
    const builder = new SessionBuilder()
    const label = builder.add({ type: 'label' })
    builder.turns(3)
    expect(planOf(builder, 1000).report.summarizedEntryIds).toContain(label)
  })

  it('leaves a dropped answer out of every list', () => {
    const builder = new SessionBuilder()
    builder.turns(3)
    const failed = builder.assistant('partial', [], { stopReason: 'error' })
    const { report, keptMessages } = planOf(builder, 1000, { dropEntryId: failed })
    const ids = [...report.summarizedEntryIds, ...report.turnPrefixEntryIds, ...report.keptEntryIds]
    expect(ids).not.toContain(failed)
    expect(keptMessages.some((message) => message.stopReason === 'error')).toBe(false)
  })

  it('says already-compacted when the last entry is a compaction', () => {
    const builder = new SessionBuilder()
    const turns = builder.turns(4)
    builder.compaction('earlier', turns[3]?.user ?? '')
    expect(reasonOf(builder, 100)).toBe('already-compacted')
  })

  it('says nothing-to-compact when everything live fits, for metadata alone, and for one group alone', () => {
    const fits = new SessionBuilder()
    fits.turns(3)
    expect(reasonOf(fits, 3000)).toBe('nothing-to-compact')
    const metadata = new SessionBuilder()
    metadata.turns(3)
    metadata.compaction('earlier', metadata.rows[1]?.['id'] as string)
    metadata.add({ type: 'label' })
    expect(reasonOf(metadata, 10)).toBe('nothing-to-compact')
    const group = new SessionBuilder()
    group.add({ type: 'label' })
    group.tool('c', text(5000))
    expect(reasonOf(group, 10)).toBe('nothing-to-compact')
  })

  it('summarises what was carried even when the window itself fits', () => {
    const builder = new SessionBuilder()
    const old = builder.turns(3, 'old')
    builder.compaction('earlier', old[0]?.user ?? '')
    const fresh = builder.turns(1, 'fresh')
    const { report } = planOf(builder, 1500)
    expect(report.firstKeptEntryId).toBe(fresh[0]?.user)
    expect(report.summarizedEntryIds).toHaveLength(6)
  })
})

describe('adaptedKeep', () => {
  const measured = (total: number): SessionBuilder => {
    const builder = new SessionBuilder()
    builder.turns(7)
    builder.user(text(100))
    builder.assistant(text(900), [], { usage: usage(total) })
    return builder
  }

  it.each([
    ['halves when twice the estimate was measured', 16_010, 0, 2500],
    ['stays when less was measured', 4010, 0, 5000],
    ['leaves out what pruning took away since', 16_010, 8000, 5000],
    ['never goes under one', 999_999_999, 0, 1],
  ])('%s', (_name, total, tokensSaved, keep) => {
    expect(adaptedKeep({ live: measured(total).live(), keepRecentTokens: 5000, tokensSaved })).toBe(keep)
  })

  it('weighs the previous summary and the carried entries too', () => {
    const builder = new SessionBuilder()
    const [turn] = builder.turns(1)
    builder.compaction(text(500), turn?.user ?? '')
    builder.user(text(400))
    builder.assistant(text(100), [], { usage: usage(4010) })
    expect(adaptedKeep({ live: builder.live(), keepRecentTokens: 1000 })).toBe(500)
  })
})
