import { expect } from 'vitest'
import type { PlanReport } from '../../src/domain/compaction/plan.ts'
import { answeredCallOf, toolCallsOf } from '../../src/domain/session/content.ts'
import { type Entry, makesMessage } from '../../src/domain/session/entry.ts'
import { type LiveRegion, liveEntries } from '../../src/domain/session/live.ts'

const idsOf = (entries: readonly Entry[]) => entries.map((entry) => entry.id)

/** History, prefix and kept are everything live, exactly once and in order. */
export function expectNothingLost(live: LiveRegion, report: PlanReport): void {
  const planned = [...report.summarizedEntryIds, ...report.turnPrefixEntryIds, ...report.keptEntryIds]
  expect(planned).toEqual(idsOf(liveEntries(live)))
}

/** No result is kept whose call was summarised, and none is summarised whose call is kept. */
export function expectPairsTogether(live: LiveRegion, report: PlanReport): void {
  const kept = new Set(report.keptEntryIds)
  const callers = new Map<string, Entry>()
  for (const entry of liveEntries(live)) {
    if (entry.type !== 'message' || entry.message === undefined) continue
    for (const call of toolCallsOf(entry.message)) callers.set(call.id, entry)
    if (entry.message.role !== 'toolResult') continue
    const caller = callers.get(answeredCallOf(entry.message))
    if (caller !== undefined) expect(kept.has(entry.id)).toBe(kept.has(caller.id))
  }
}

/** The first kept entry that is told is no tool result, and the summarised side is not empty. */
export function expectSoundCut(live: LiveRegion, report: PlanReport): void {
  const kept = new Set(report.keptEntryIds)
  const first = live.path.find((entry) => kept.has(entry.id) && makesMessage(entry))
  expect(first?.message?.role).not.toBe('toolResult')
  expect(report.keptEntryIds[0]).toBe(report.firstKeptEntryId)
  expect(report.summarizedEntryIds.length + report.turnPrefixEntryIds.length).toBeGreaterThan(0)
  expect(report.isSplitTurn).toBe(report.turnPrefixEntryIds.length > 0)
}
