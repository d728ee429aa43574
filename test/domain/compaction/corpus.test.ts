import { describe, expect, it } from 'vitest'
import { coverageOf } from '../../../src/domain/compaction/coverage.ts'
import { planCompaction } from '../../../src/domain/compaction/plan.ts'
import { planFileLists } from '../../../src/domain/compaction/plan-file-lists.ts'
import {
  applyPruning,
  DEFAULT_PRUNE,
  NOTHING_PRUNED,
  pruneToolOutputs,
} from '../../../src/domain/compaction/prune-entries.ts'
import { entriesSchema } from '../../../src/domain/session/check-entries.ts'
import { type EntryRow, isFileLine } from '../../../src/domain/session/entry.ts'
import { type LiveRegion, liveRegion } from '../../../src/domain/session/live.ts'
import { messagesToConversation } from '../../../src/domain/session/messages-to-conversation.ts'
import { pathTo } from '../../../src/domain/session/path.ts'
import { readSession, type Session } from '../../../src/domain/session/session.ts'
import { toAnthropic } from '../../../src/domain/session/to-anthropic.ts'
import { toLlm } from '../../../src/domain/session/to-llm.ts'
import { toOpenAi } from '../../../src/domain/session/to-openai.ts'
import { serialize } from '../../../src/domain/transcript/serialize.ts'
import { readNdjson } from '../../../src/requests/read-ndjson.ts'
import { CORPUS_NOTE, corpusFiles, corpusText, hasCorpus } from '../../support/corpus.ts'
import { deepFreeze } from '../../support/deep-freeze.ts'
import { expectNothingLost, expectPairsTogether, expectSoundCut } from '../../support/plan-invariants.ts'

const files = corpusFiles('pi', '.jsonl')
const wrappers = { compactionSummary: (text: string) => text, branchSummary: (text: string) => text }

/** Prefixes of a file that end at about `count` different entries. */
function prefixes(rows: readonly unknown[], count: number): readonly (readonly unknown[])[] {
  const step = Math.max(1, Math.floor(rows.length / count))
  return Array.from({ length: Math.ceil((rows.length - 1) / step) }, (_, index) => rows.slice(0, 2 + index * step))
}

function expectSoundPlan(session: Session, live: LiveRegion, keepRecentTokens: number): void {
  const outcome = planCompaction({ live, keepRecentTokens })
  if (outcome.kind === 'none') return
  const { report } = outcome.plan
  expectNothingLost(live, report)
  expectPairsTogether(live, report)
  expectSoundCut(live, report)
  expect(coverageOf({ session, live, report, pruned: NOTHING_PRUNED })).toHaveLength(session.rows.length)
}

describe.skipIf(!hasCorpus)(`recorded sessions (${CORPUS_NOTE})`, () => {
  it.each(files)('%s: read without a fault, every prefix planned without a loss', (name) => {
    const { rows, warnings } = readNdjson(corpusText(name))
    expect([warnings, entriesSchema.safeParse(rows).error]).toEqual([[], undefined])
    deepFreeze(rows)
    for (const prefix of prefixes(rows, 40)) {
      if (prefix.every((row) => isFileLine(row as EntryRow))) continue
      const session = readSession(prefix)
      const live = liveRegion(pathTo(session))
      for (const keepRecentTokens of [500, 4000, 20_000]) expectSoundPlan(session, live, keepRecentTokens)
    }
  })

  it.each(files)('%s: pruned once, serialised clean, told to both APIs in pairs', (name) => {
    const { rows } = readNdjson(corpusText(name))
    const path = pathTo(readSession(rows))
    const settings = { ...DEFAULT_PRUNE, protectTokens: 4000, minimumSavings: 1000 }
    const pruned = applyPruning(path, pruneToolOutputs(path, settings), 1)
    expect(pruneToolOutputs(pruned, settings).count).toBe(0)
    const outcome = planCompaction({ live: liveRegion(path), keepRecentTokens: 1000 })
    if (outcome.kind === 'none') return
    const { historyMessages, keptMessages } = outcome.plan
    const text = serialize(messagesToConversation(historyMessages, wrappers))
    expect(text.isWellFormed()).toBe(true)
    expect(text).not.toMatch(/[\u0000-\u0008\u000b-\u001f]|<\/?conversation>/)
    for (const path of planFileLists(outcome.plan).modifiedFiles) expect(path).not.toMatch(/:\d|:\/\//)
    const told = toLlm([...historyMessages, ...keptMessages], wrappers)
    const chat = toOpenAi(told)
    const open = chat.flatMap((row) => (Array.isArray(row['tool_calls']) ? row['tool_calls'] : []))
    expect(chat.filter((row) => row['role'] === 'tool')).toHaveLength(open.length)
    const roles = toAnthropic(told).map((row) => row.role)
    expect(roles.some((role, index) => role === roles[index + 1])).toBe(false)
  })
})
