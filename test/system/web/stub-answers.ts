import { CALLS, compactedList, compactedSession, FAILED, GOOD, SUMMARY, usage } from './stub-compaction.ts'
import { coverageOf, type Row, rowsOf, type Work } from './stub-rows.ts'

const isList = (work: Work) => work.headers['content-type'] === 'application/json' && work.text.includes('"messages"')

function branchSummary(work: Work): Row {
  const ids = rowsOf(work)
    .slice(-5)
    .map((row) => row['id'])
  return {
    summarized: true,
    entry: {
      type: 'branch_summary',
      id: 'b0b0b0b0',
      parentId: work.query['targetId'],
      fromId: work.query['targetId'],
      summary: SUMMARY,
    },
    newLeafId: 'b0b0b0b0',
    editorText: null,
    collected: {
      commonAncestorId: work.query['targetId'],
      entryIds: ids,
      includedEntryIds: ids.slice(1),
      totalTokens: 640,
      tokenBudget: 111_616,
    },
    usage: usage(700, 200, 0.001),
    calls: CALLS.slice(1, 2),
    degraded: false,
    warnings: [],
  }
}

/** What each stubbed endpoint answers, shaped as in docs/spec/contract.md. */
export const ANSWERS: Readonly<Record<string, (work: Work) => Row>> = {
  '/compact': (work) => (isList(work) ? compactedList(rowsOf(work)) : compactedSession(work)),
  '/summarize': () => ({
    summary: SUMMARY,
    model: 'beta/large',
    usage: usage(900, 210, 0.002),
    attempts: [FAILED, GOOD],
    degraded: true,
    warnings: [],
  }),
  '/branch-summary': branchSummary,
  '/check': () => ({
    shouldCompact: true,
    reason: 'threshold',
    blockedBy: null,
    contextTokens: 15_200,
    thresholdTokens: 13_600,
    estimator: 'session-utf8/4',
    lastError: { class: 'overflow', isOverflow: true, retryable: false, retryAfterMs: null },
    state: 'opaque',
  }),
  '/prune': (work) => {
    const entries = coverageOf(rowsOf(work)).filter(({ fate }) => fate === 'pruned')
    return {
      count: entries.length,
      tokensSaved: 800,
      entries: entries.map(({ id, tokens }) => ({ id, tokens, text: `[Output truncated - ${tokens} tokens]` })),
    }
  },
  '/context': (work) => ({
    messages: rowsOf(work).flatMap((row) => (row['message'] === undefined ? [] : [row['message']])),
    model: 'example/demo',
    thinkingLevel: 'off',
  }),
}

/** Events of a stream before its `done`. */
export const EVENTS: Readonly<Record<string, readonly (readonly [string, Row])[]>> = {
  '/compact': [
    ['compaction_start', { reason: 'manual' }],
    ['pruned', { count: 1, tokensSaved: 801, entries: [] }],
    ['plan', { tokens: { history: 1480, turnPrefix: 390, kept: 350 }, isSplitTurn: true }],
    ['attempt', { kind: 'history', ...FAILED }],
    ['delta', { kind: 'history', text: 'thrown away' }],
    ['reset', { kind: 'history' }],
    ['delta', { kind: 'history', text: '## Goal\nFind out' }],
    ['attempt', { kind: 'history', ...GOOD }],
    ['summary', { kind: 'history' }],
  ],
  '/summarize': [['delta', { text: '## Goal' }]],
}
