import { describe, expect, it } from 'vitest'
import type { SessionBeforeTreeEvent } from '../../src/hooks/hook-types.ts'
import { hooksOf } from '../support/hook-file.ts'

const preparation = {
  targetId: 't',
  oldLeafId: 'o',
  commonAncestorId: null,
  entriesToSummarize: [{ type: 'message', id: 'o', parentId: null, message: { role: 'user', content: 'SECRET' } }],
  userWantsSummary: true,
}
const never = () => new AbortController().signal

function beforeTree(hook: (event: SessionBeforeTreeEvent) => unknown, limitMs?: number, signal = never()) {
  const record = hooksOf({ session_before_tree: hook }, limitMs)
  return { ...record, outcome: record.hooks.run({ name: 'session_before_tree', event: { preparation } }, signal) }
}

describe('Hooks.run', () => {
  it('hands the answer on as plain data and times the run', async () => {
    class Odd {
      readonly cancel = false
      get summary() {
        return { summary: 'from a getter', details: { at: new Date(0) }, more: 1 }
      }
      toJSON() {
        return { cancel: this.cancel, summary: this.summary }
      }
    }
    const { outcome, runs, faults } = beforeTree(() => new Odd())
    expect(await outcome).toEqual({
      result: { cancel: false, summary: { summary: 'from a getter', details: { at: '1970-01-01T00:00:00.000Z' } } },
      warnings: [],
    })
    expect([runs, faults]).toEqual([['session_before_tree'], []])
  })

  it.each([undefined, null])('takes %s for no answer', async (value) => {
    const { outcome, faults } = beforeTree(() => value)
    expect([await outcome, faults]).toEqual([{ warnings: [] }, []])
  })

  it('gives hooks a copy: what they change or keep is theirs', async () => {
    const before = structuredClone(preparation)
    const { outcome } = beforeTree((event) => {
      const mine = event.preparation as unknown as { entriesToSummarize: { message: { content: string } }[] }
      for (const entry of mine.entriesToSummarize) entry.message.content = 'changed'
      mine.entriesToSummarize.length = 0
    })
    await outcome
    expect(preparation).toEqual(before)
  })

  it.each<[string, (event: SessionBeforeTreeEvent) => unknown, string, string]>([
    [
      'a throw',
      () => {
        throw new TypeError('SECRET')
      },
      'threw',
      'threw (TypeError)',
    ],
    ['a rejection', () => Promise.reject('SECRET'), 'threw', 'threw (a string)'],
    [
      'an error that cannot be read',
      () => {
        throw new Proxy(new Error('x'), {
          get() {
            throw new Error('SECRET')
          },
          getPrototypeOf() {
            throw new Error('SECRET')
          },
        })
      },
      'threw',
      'threw (an error that cannot be read)',
    ],
    [
      'a poisoned thenable',
      () =>
        Object.fromEntries([
          [
            'then',
            () => {
              throw new Error('SECRET')
            },
          ],
        ]),
      'threw',
      'threw (Error)',
    ],
    ['a word for true', () => ({ cancel: 'yes' }), 'answered something malformed (cancel: ', ''],
    ['a bare true', () => true, 'answered something malformed (', ''],
    ['a blank summary', () => ({ summary: { summary: ' \n' } }), 'malformed (summary.summary: expected a text', ''],
    [
      'a number too big',
      () => ({ summary: { summary: 'x', details: 1n } }),
      'answered something that is not plain data',
      '',
    ],
    [
      'a circle',
      () => {
        const circle: Record<string, unknown> = {}
        circle['cancel'] = circle
        return circle
      },
      'answered something that is not plain data',
      '',
    ],
  ])('ignores %s with a warning, a line and a count, none of which quotes it', async (_name, hook, words, detail) => {
    const { outcome, runs, faults } = beforeTree(hook)
    const { result, warnings } = await outcome
    expect(result).toBeUndefined()
    expect(warnings).toEqual([expect.stringContaining(words)])
    expect(runs).toHaveLength(1)
    expect(faults).toEqual([['session_before_tree', detail === '' ? expect.stringContaining(words) : detail]])
    expect(JSON.stringify([warnings, faults])).not.toContain('SECRET')
  })

  it('leaves one that hangs behind, tells it so, and hears its late failure in silence', async () => {
    let told: unknown
    const { promise, reject } = Promise.withResolvers<never>()
    const { outcome, faults } = beforeTree(({ signal }) => {
      signal.addEventListener('abort', () => {
        told = signal.reason
      })
      return promise
    }, 20)
    expect(await outcome).toEqual({
      warnings: ['The hook session_before_tree did not answer within 20 ms; it was ignored.'],
    })
    expect(told).toBeInstanceOf(Error)
    reject(new Error('late'))
    await new Promise(setImmediate)
    expect(faults).toHaveLength(1)
  })

  it('ends with the request: the signal\u2019s reason is thrown, the hook is told', async () => {
    const controller = new AbortController()
    const gone = new Error('gone')
    const started = Promise.withResolvers<AbortSignal>()
    const { outcome, faults } = beforeTree(
      ({ signal }) => {
        started.resolve(signal)
        return new Promise(() => {})
      },
      undefined,
      controller.signal,
    )
    const signal = await started.promise
    controller.abort(gone)
    await expect(outcome).rejects.toBe(gone)
    expect(signal.reason).toBe(gone)
    expect(faults).toEqual([])
    const { outcome: second, runs } = beforeTree(() => ({}), undefined, controller.signal)
    await expect(second).rejects.toBe(gone)
    expect(runs).toEqual([])
  })

  it('does not look at what a notification answers', async () => {
    const circle: Record<string, unknown> = {}
    circle['circle'] = circle
    const { hooks, faults } = hooksOf({ session_tree: () => circle })
    const event = { newLeafId: null, oldLeafId: null }
    expect(await hooks.run({ name: 'session_tree', event }, never())).toEqual({ warnings: [] })
    expect(faults).toEqual([])
  })

  it('knows which hooks there are', () => {
    const { hooks } = hooksOf({ session_tree() {} })
    expect([hooks.has('session_tree'), hooks.has('session_compact')]).toEqual([true, false])
  })
})
