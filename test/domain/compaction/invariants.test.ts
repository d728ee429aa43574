import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { collectAbandoned } from '../../../src/domain/compaction/branch.ts'
import { coverageOf } from '../../../src/domain/compaction/coverage.ts'
import { findCutPoint } from '../../../src/domain/compaction/cut-point.ts'
import { type CompactionPlan, planCompaction } from '../../../src/domain/compaction/plan.ts'
import { applyPruning, NOTHING_PRUNED, pruneToolOutputs } from '../../../src/domain/compaction/prune-entries.ts'
import { buildContext } from '../../../src/domain/session/build-context.ts'
import { answeredCallOf, toolCallsOf } from '../../../src/domain/session/content.ts'
import { type Entry, makesMessage } from '../../../src/domain/session/entry.ts'
import { pathTo } from '../../../src/domain/session/path.ts'
import { entriesTokens } from '../../../src/domain/session/session-tokens.ts'
import { deepFreeze } from '../../support/deep-freeze.ts'
import { expectNothingLost, expectPairsTogether, expectSoundCut } from '../../support/plan-invariants.ts'
import { propertyRuns } from '../../support/property-runs.ts'
import { addSteps, type Step, steps } from '../../support/random-session.ts'
import { SessionBuilder } from '../../support/session-builder.ts'

const keep = fc.integer({ min: 1, max: 400 })

function frozen(list: readonly Step[], builder = new SessionBuilder()): SessionBuilder {
  addSteps(builder, list)
  deepFreeze(builder.rows.slice())
  return builder
}

function planOf(builder: SessionBuilder, keepRecentTokens: number): CompactionPlan | null {
  const outcome = planCompaction({ live: builder.live(), keepRecentTokens })
  return outcome.kind === 'plan' ? outcome.plan : null
}

/** The rule read literally, one candidate at a time: the oldest valid point whose suffix fits, else the newest one. */
function slowCut(path: readonly Entry[], keepTokens: number): number {
  const callsBefore = (index: number): Set<string> =>
    new Set(path.slice(0, index).flatMap(({ message }) => (message ? toolCallsOf(message).map((call) => call.id) : [])))
  const partsPair = (index: number): boolean => {
    const open = callsBefore(index)
    for (const { message } of path.slice(index)) {
      if (message === undefined) continue
      for (const call of toolCallsOf(message)) open.delete(call.id)
      if (message.role === 'toolResult' && open.has(answeredCallOf(message))) return true
    }
    return false
  }
  const roles = ['user', 'assistant', 'bashExecution', 'developer']
  const valid = path.flatMap((entry, index) => {
    const isPoint = entry.type === 'message' ? roles.includes(entry.message?.role ?? '') : makesMessage(entry)
    return isPoint && entriesTokens(path.slice(index)) > 0 && !partsPair(index) ? [index] : []
  })
  const cut = valid.find((index) => entriesTokens(path.slice(index)) <= keepTokens) ?? valid.at(-1) ?? -1
  const isMetadata = (index: number): boolean => path[index]?.type === 'label' || path[index]?.type === 'model_change'
  return (
    Array.from({ length: cut }, (_, back) => cut - back).find((index) => !isMetadata(index - 1)) ?? Math.min(cut, 0)
  )
}

describe('planCompaction over random sessions', () => {
  it('loses nothing, parts no call from its results and changes no input', () => {
    fc.assert(
      fc.property(steps, keep, (list, keepRecentTokens) => {
        const builder = frozen(list)
        const live = builder.live()
        const plan = planOf(builder, keepRecentTokens)
        if (plan === null) return
        expectNothingLost(live, plan.report)
        expectPairsTogether(live, plan.report)
        expectSoundCut(live, plan.report)
        const rows = coverageOf({ session: builder.read(), live, report: plan.report, pruned: NOTHING_PRUNED })
        expect(rows).toHaveLength(builder.rows.length)
        expect(rows.filter((row) => row.fate === 'ignored')).toHaveLength(1)
      }),
      { seed: 11, numRuns: propertyRuns(500) },
    )
  })

  it('cuts where a slow reading of the rule cuts', () => {
    fc.assert(
      fc.property(steps, keep, (list, keepRecentTokens) => {
        const live = frozen(list).live()
        expect(findCutPoint(live, keepRecentTokens)?.firstKept ?? -1).toBe(slowCut(live.path, keepRecentTokens))
      }),
      { seed: 12, numRuns: propertyRuns(500) },
    )
  })

  it('lets three compactions in a row account for every entry', () => {
    fc.assert(
      fc.property(fc.array(steps, { minLength: 3, maxLength: 3 }), keep, (rounds, keepRecentTokens) => {
        const builder = new SessionBuilder()
        const told = new Set<string>()
        for (const [number, round] of rounds.entries()) {
          addSteps(builder, round)
          const plan = planOf(builder, keepRecentTokens)
          if (plan === null) continue
          for (const id of [...plan.report.summarizedEntryIds, ...plan.report.turnPrefixEntryIds]) {
            // No entry goes into two summaries.
            expect(told.has(id)).toBe(false)
            told.add(id)
          }
          builder.compaction(`summary ${number}`, plan.report.firstKeptEntryId)
        }
        const path = pathTo(builder.read())
        const shown = new Set(buildContext(path).messages)
        for (const entry of path) {
          if (entry.type !== 'message' || entry.message === undefined) continue
          expect(told.has(entry.id) !== shown.has(entry.message)).toBe(true)
        }
      }),
      { seed: 13, numRuns: propertyRuns(200) },
    )
  })
})

describe('pruneToolOutputs over random sessions', () => {
  it('is idempotent, changes no input and never touches what it spares', () => {
    const settings = { protectTokens: 100, minimumSavings: 40, protectedTools: ['read'] }
    fc.assert(
      fc.property(steps, (list) => {
        const path = frozen(list).live().path
        const pruned = pruneToolOutputs(path, settings)
        const after = deepFreeze(applyPruning(path, pruned, 1))
        const again = pruneToolOutputs(after, { ...settings, minimumSavings: 0 })
        expect(again.entries.filter((entry) => pruned.entries.some((before) => before.id === entry.id))).toEqual([])
        expect(after.filter((entry, index) => entry !== path[index])).toHaveLength(pruned.count)
        if (pruned.count > 0) expect(pruned.tokensSaved).toBeGreaterThanOrEqual(settings.minimumSavings)
      }),
      { seed: 14, numRuns: propertyRuns(300) },
    )
  })
})

describe('collectAbandoned over random trees', () => {
  it('gives the common path and the abandoned entries as the whole old path, and nothing of another branch', () => {
    const parents = fc.array(fc.nat(), { minLength: 2, maxLength: 60 })
    fc.assert(
      fc.property(parents, fc.nat(), fc.nat(), (choices, one, other) => {
        const builder = new SessionBuilder()
        const ids: string[] = []
        for (const choice of choices) {
          builder.at(choice % 7 === 0 ? null : (ids[choice % Math.max(1, ids.length)] ?? null))
          ids.push(builder.user(`entry ${ids.length}`))
        }
        const session = builder.read()
        const [old = '', target = ''] = [ids[one % ids.length], ids[other % ids.length]]
        const { commonAncestorId, entries } = collectAbandoned(session, old, target)
        const common = commonAncestorId === null ? [] : pathTo(session, commonAncestorId)
        const oldPath = pathTo(session, old)
        expect([...common, ...entries]).toEqual(oldPath)
        const targetPath = new Set(pathTo(session, target))
        expect(common.every((entry) => targetPath.has(entry))).toBe(true)
        expect(entries.some((entry) => targetPath.has(entry))).toBe(false)
      }),
      { seed: 15, numRuns: propertyRuns(200) },
    )
  })
})
