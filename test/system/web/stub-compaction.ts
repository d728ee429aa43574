import { coverageOf, type Row, rowsOf, type Work } from './stub-rows.ts'

export const SUMMARY = `## Goal
Find out why the CSV export of /reports loses its last rows.

## Progress
- [x] src/export/csv.js: what is left in the buffer after the loop is yielded now
- [x] test/export/csv-single-row.test.js added, 60 export tests pass

## Decisions
- **Buffering stays**: a write per row would slow the 300 MB report down

<modified-files>
src/export/csv.js
test/export/csv-single-row.test.js
</modified-files>`

export const usage = (inputTokens: number, outputTokens: number, costUsd: number) => ({
  inputTokens,
  outputTokens,
  costUsd,
})

export const FAILED = { model: 'alpha/small', outcome: 'rate_limited', status: 429, durationMs: 181 }
export const GOOD = { model: 'beta/large', outcome: 'ok', status: 200, durationMs: 2412 }

export const CALLS = [
  {
    kind: 'history',
    model: 'beta/large',
    usage: usage(2140, 310, 0.00412),
    attempts: [FAILED, GOOD],
    durationMs: 2593,
  },
  { kind: 'turn-prefix', model: 'beta/large', usage: usage(610, 120, 0.0013), attempts: [GOOD], durationMs: 1404 },
  { kind: 'short', model: 'beta/large', usage: usage(420, 40, 0.0006), attempts: [GOOD], durationMs: 733 },
]

const AUDIT = {
  facts: 7,
  kept: 5,
  restored: [
    { kind: 'constraint', text: 'Do not change the public function names, and keep Node 20 working.' },
    { kind: 'error', text: 'Error: ENOSPC: no space left on device, write' },
  ],
  unsupportedPaths: ['src/export/flush.js'],
}

const sumOf = (rows: readonly { fate: string; tokens: number }[], fates: readonly string[]) =>
  rows.filter(({ fate }) => fates.includes(fate)).reduce((sum, { tokens }) => sum + tokens, 0)

/** Of a session: everything docs/spec/contract.md §3a names. */
export function compactedSession(work: Work): Row {
  const rows = rowsOf(work)
  const coverage = coverageOf(rows)
  const idsOf = (...fates: string[]) => coverage.filter(({ fate }) => fates.includes(fate)).map(({ id }) => id)
  const kept = coverage.find(({ fate }) => fate === 'kept')
  const leaf = String(rows.at(-1)?.['id'])
  const pruned = coverage.filter(({ fate }) => fate === 'pruned')
  const tokensBefore = sumOf(coverage, ['kept', 'summarized', 'turn-prefix', 'pruned'])
  const entry = {
    type: 'compaction',
    id: 'c0ffee42',
    parentId: leaf,
    timestamp: '2026-03-04T10:00:00.000Z',
    summary: SUMMARY,
    shortSummary: 'CSV export fixed and tested; XLSX writer under inspection.',
    firstKeptEntryId: kept?.id,
    tokensBefore,
    details: { readFiles: ['src/export/xlsx.js'], modifiedFiles: ['src/export/csv.js'] },
    preserveData: {},
  }
  const plan = {
    firstKeptEntryId: kept?.id,
    isSplitTurn: true,
    summarizedEntryIds: idsOf('summarized'),
    turnPrefixEntryIds: idsOf('turn-prefix'),
    keptEntryIds: idsOf('kept'),
    keepRecentTokens: 420,
    tokens: {
      history: sumOf(coverage, ['summarized']),
      turnPrefix: sumOf(coverage, ['turn-prefix']),
      kept: sumOf(coverage, ['kept']),
    },
    coverage,
  }
  return {
    compacted: true,
    method: 'model',
    entry,
    plan,
    pruned: {
      count: pruned.length,
      tokensSaved: sumOf(pruned, ['pruned']) - 9,
      entries: pruned.map(({ id, tokens }) => ({ id, tokens, text: `[Output truncated - ${tokens} tokens]` })),
    },
    context: {
      messages: [{ role: 'compactionSummary', summary: SUMMARY }, ...rows.slice(-4).map((row) => row['message'])],
    },
    progress: { tokensBefore, tokensAfter: sumOf(coverage, ['kept']) + 190, madeProgress: true },
    next: { willRetry: false, dropEntryId: null, continuePrompt: null },
    audit: AUDIT,
    calls: CALLS,
    usage: usage(3170, 470, 0.00602),
    degraded: false,
    warnings: ['1 malformed or blank line was skipped'],
    state: 'opaque',
  }
}

/** Of a message list: docs/spec/contract.md §3b. */
export function compactedList(messages: readonly Row[]): Row {
  const end = Math.max(1, messages.length - 2)
  const fates = (at: number) => (at < 1 || at >= end ? 'kept' : 'summarized')
  return {
    compacted: true,
    method: 'model',
    messages: [messages[0], { role: 'user', content: SUMMARY }, ...messages.slice(end)],
    summary: SUMMARY,
    boundaries: { start: 1, end },
    plan: { coverage: messages.map((_message, index) => ({ index, fate: fates(index), tokens: 40 })) },
    droppedCount: end - 1,
    progress: { tokensBefore: messages.length * 40, tokensAfter: 150, madeProgress: true },
    fallbackUsed: false,
    noLiveUserTurn: false,
    validity: { pairs: true, alternation: true, repaired: [] },
    audit: { facts: 1, kept: 1, restored: [], unsupportedPaths: [] },
    calls: CALLS.slice(0, 1),
    usage: usage(2140, 310, 0.00412),
    degraded: false,
    warnings: [],
    state: 'opaque',
    next: { resetSession: false },
  }
}
