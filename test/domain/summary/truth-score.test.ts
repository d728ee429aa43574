import { describe, expect, it } from 'vitest'
import { parseMessages } from '../../../src/domain/dialects/parse-messages.ts'
import { rowsToConversation } from '../../../src/domain/dialects/rows-to-conversation.ts'
import { ledger } from '../../../src/domain/ledger/ledger.ts'
import { truthScore } from '../../../src/domain/summary/truth-score.ts'

const call = (id: string, command: string) => ({
  role: 'assistant',
  content: null,
  tool_calls: [{ id, type: 'function', function: { name: 'bash', arguments: JSON.stringify({ command }) } }],
})
const result = (id: string, content: string) => ({ role: 'tool', tool_call_id: id, content })
const conversation = rowsToConversation(
  parseMessages([
    {
      role: 'user',
      content: 'Move the rate limiter into its own middleware. Never log e-mail addresses of customers.',
    },
    call('a', 'npm test'),
    result('a', 'FAIL test/limiter.test.ts\nAssertionError: expected 429 to be 200\nCommand exited with code 1'),
    { role: 'assistant', content: 'The window was counted twice; I fix it.' },
    call('b', "sed -i 's/2/1/' src/limiter.ts && npm test"),
    result('b', '12 passed'),
    { role: 'assistant', content: 'The rate limiter stands in src/limiter.ts, all 12 tests pass.' },
    { role: 'user', content: 'Now make the limit configurable through ORDERS_RATE_MAX.' },
    { role: 'assistant', content: 'I begin with the configuration file.' },
  ]).rows,
)
const held = ledger(conversation)
const TRUE = `## Goal
Move the rate limiter into its own middleware
- Newest request: make the limit configurable through ORDERS_RATE_MAX
## Constraints
- Never log e-mail addresses of customers
## Done
- [x] The rate limiter stands in src/limiter.ts, all 12 tests pass
## Next Steps
- begin with the configuration file`
const score = (summary: string) => truthScore(summary, conversation, held)

describe('truthScore', () => {
  it('is high for a summary that tells what holds, in whatever order', () => {
    expect(score(TRUE)).toMatchObject({ staleShare: 0 })
    expect(score(TRUE).truth).toBeGreaterThan(0.8)
  })

  it('falls by what is left out', () => {
    const lossy = TRUE.replace(/- Never.*\n/, '').replace(/- Newest.*\n/, '')
    expect(score(lossy).recall).toBeLessThan(score(TRUE).recall - 0.2)
    expect(score('## Goal\nSomething else').recall).toBeLessThan(0.2)
  })

  it('falls by what is told as open and is not', () => {
    const stale = `${TRUE}\n## Blocked\n- \`npm test\`: AssertionError: expected 429 to be 200`
    expect(score(stale).staleShare).toBeGreaterThan(0)
    expect(score(stale).truth).toBeLessThan(score(TRUE).truth)
    const told = `${TRUE}\n## Blocked\n- AssertionError: expected 429 to be 200 (fixed)`
    expect(score(told).staleShare, 'what is said to be fixed is not told as open').toBe(0)
    const waiting = `${TRUE}\n## Next Steps\n- The assistant awaits an answer of the user`
    expect(score(waiting).staleShare).toBeGreaterThan(0)
  })

  it('knows an empty text for what it is', () => {
    expect(score('')).toEqual({ truth: 0, recall: 0, staleShare: 0, stateLines: 0 })
  })
})
