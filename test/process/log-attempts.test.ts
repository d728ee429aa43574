import { expect, it } from 'vitest'
import type { AttemptOutcome } from '../../src/models/model.ts'
import { silentObserver } from '../../src/models/observer.ts'
import { logAttempts } from '../../src/process/log-attempts.ts'

const TRACEPARENT = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`
const usage = { inputTokens: 0, outputTokens: 0, costUsd: 0 }

function linesOf(outcome: AttemptOutcome, facts = {}) {
  const lines: unknown[] = []
  const passedOn: AttemptOutcome[] = []
  const observer = {
    ...silentObserver,
    attempt: ({ row }: { row: { outcome: AttemptOutcome } }) => passedOn.push(row.outcome),
  }
  const log = { warn: (line: unknown) => lines.push(line) }
  const row = { model: 'alpha/small', outcome, status: 500, durationMs: 12 }
  const asker = { requestId: 'r1', traceparent: TRACEPARENT }
  logAttempts(observer, log as Parameters<typeof logAttempts>[1]).attempt({ row, usage, asker, facts })
  return { lines, passedOn }
}

it('logAttempts says what an operator would ask the provider about', () => {
  const said = { code: 'c', type: 't', message: 'The shard is busy', requestId: 'p1' }
  expect(linesOf('server_error', { code: 'ECONNRESET', said, retryAfterMs: 5 }).lines).toEqual([
    {
      reqId: 'r1',
      model: 'alpha/small',
      outcome: 'server_error',
      status: 500,
      errno: 'ECONNRESET',
      providerCode: 'c',
      providerType: 't',
      providerMessage: 'The shard is busy',
      providerRequestId: 'p1',
      retryAfterMs: 5,
      durationMs: 12,
      traceId: 'a'.repeat(32),
      spanId: 'b'.repeat(16),
    },
  ])
})

it.each(['ok', 'aborted', 'breaker_open', 'key_resting'] as const)(
  'logAttempts has no line for %s, which is counted',
  (outcome) => {
    expect(linesOf(outcome)).toEqual({ lines: [], passedOn: [outcome] })
  },
)
