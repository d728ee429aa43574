import { describe, expect, it } from 'vitest'
import { type AttemptRow, NO_USAGE, type Usage } from '../../../src/models/model.ts'
import { ModelError } from '../../../src/models/model-error.ts'
import { type AttemptReport, silentObserver } from '../../../src/models/observer.ts'
import { withObserver } from '../../../src/models/wrappers/observe.ts'
import { completionOf, fakeModel, never, requestOf } from '../../support/fake-model.ts'
import { virtualClock } from '../../support/virtual-clock.ts'

const ID = 'alpha/small'

function stage(reply: Parameters<typeof fakeModel>[1][number], tookMs = 12.4) {
  const clock = virtualClock()
  const observed: [AttemptRow, Usage][] = []
  const heard: AttemptRow[] = []
  const slow = fakeModel(ID, [
    async (request, signal) => {
      await clock.advance(tookMs)
      return reply(request, signal)
    },
  ])
  const observer = { ...silentObserver, attempt: ({ row, usage }: AttemptReport) => observed.push([row, usage]) }
  const model = withObserver(slow, { observer, clock })
  const ask = (signal = never()) =>
    model.complete(requestOf({ listener: { attempt: (row) => heard.push(row) } }), signal)
  return { ask, observed, heard }
}

const throws = (error: unknown) => async () => {
  throw error
}

describe('withObserver', () => {
  it.each([
    ['model', 200],
    ['remote', 200],
    ['extractive', undefined],
    ['moa', undefined],
  ] as const)('makes a row of an answer, with a status only where HTTP was spoken (%s)', async (method, status) => {
    const { ask, observed, heard } = stage(async () => completionOf(ID, 'Fine.', { method, attempts: [] }))
    const row = { model: ID, outcome: 'ok', durationMs: 12, ...(status && { status }) }
    const answer = await ask()
    expect(answer.attempts).toEqual([row])
    expect(heard).toEqual([row])
    expect(observed).toEqual([[row, answer.usage]])
  })

  it('attaches the row to the error, and keeps its facts', async () => {
    const { ask, observed } = stage(throws(new ModelError(ID, 'rate_limited', { status: 429, retryAfterMs: 5 })))
    const row = { model: ID, outcome: 'rate_limited', status: 429, durationMs: 12 }
    await expect(ask()).rejects.toMatchObject({
      outcome: 'rate_limited',
      facts: { status: 429, retryAfterMs: 5, attempts: [row] },
    })
    expect(observed).toEqual([[row, NO_USAGE]])
  })

  it('counts the tokens of a cut answer', async () => {
    const partial = completionOf(ID, 'Half')
    const { ask, observed } = stage(throws(new ModelError(ID, 'truncated', { partial })))
    await ask().catch(() => {})
    expect(observed[0]?.[1]).toEqual(partial.usage)
  })

  it.each(['queue_full', 'queue_timeout', 'breaker_open', 'key_resting'] as const)(
    '%s was skipped: no duration',
    async (outcome) => {
      const { ask, heard } = stage(throws(new ModelError(ID, outcome)))
      await ask().catch(() => {})
      expect(heard).toEqual([{ model: ID, outcome, durationMs: 0 }])
    },
  )

  it('tells an abort as aborted and rethrows its reason untouched', async () => {
    const reason = new Error('gone')
    const { ask, observed } = stage(throws(reason))
    await expect(ask(AbortSignal.abort(reason))).rejects.toBe(reason)
    expect(observed.map(([row]) => row.outcome)).toEqual(['aborted'])
  })

  it('makes no row of a bug', async () => {
    const { ask, observed } = stage(throws(new TypeError('bug')))
    await expect(ask()).rejects.toThrow('bug')
    expect(observed).toEqual([])
  })
})
