import { describe, expect, it } from 'vitest'
import { ModelError } from '../../../src/models/model-error.ts'
import { silentObserver } from '../../../src/models/observer.ts'
import { type MixtureOptions, mixture } from '../../../src/models/sources/mixture.ts'
import {
  type Asked,
  completionOf,
  type FakeModel,
  fails,
  fakeModel,
  hangs,
  never,
  requestOf,
  says,
} from '../../support/fake-model.ts'
import { virtualClock } from '../../support/virtual-clock.ts'

function careful(references: readonly FakeModel[], more: Partial<MixtureOptions> & { judge?: FakeModel } = {}) {
  const clock = virtualClock()
  const { judge = fakeModel('judge', [says('judge', 'The verdict.')]), ...options } = more
  const model = mixture({
    id: 'moa/careful',
    references,
    aggregator: judge,
    minSuccessful: 1,
    referenceTimeoutMs: 20_000,
    template: 'Their answers:\n\n{{candidates}}',
    clock,
    observer: silentObserver,
    ...options,
  })
  const ask = (request: Asked = {}, signal = never()) =>
    model.complete(requestOf({ prompt: 'The task.', ...request }), signal)
  return { ask, judge, model, clock }
}
const oak = () => fakeModel('one', [says('one', 'Opinion oak.')])
const elm = () => fakeModel('two', [says('two', 'Opinion elm, at length.')])
const broken = (id: string) => fakeModel(id, [fails(id, 'bad_request')])

describe('mixture', () => {
  it('gives the aggregator the whole prompt, then the answers in the order of the configuration', async () => {
    const clock = virtualClock()
    const late = fakeModel('one', [
      async (_request, signal) => {
        await clock.sleep(800, signal)
        return completionOf('one', 'Opinion oak.')
      },
    ])
    const { ask, judge } = careful([late, elm()], { clock })
    const completion = await clock.settle(ask())
    expect(completion).toMatchObject({ text: 'The verdict.', model: 'moa/careful', method: 'moa' })
    expect(judge.requests[0]?.prompt.text).toMatch(
      /^The task\.\n\nTheir answers:[\s\S]*number="1"[\s\S]*oak[\s\S]*number="2"[\s\S]*elm/,
    )
  })

  it('asks the references the very same prompt, all at once', async () => {
    const clock = virtualClock()
    const slow = (id: string) =>
      fakeModel(id, [
        async (_request, signal) => {
          await clock.sleep(1_000, signal)
          return completionOf(id, id)
        },
      ])
    const references = [slow('one'), slow('two'), slow('three')]
    const startedAt = clock.now()
    await clock.settle(careful(references, { clock }).ask())
    expect(clock.now() - startedAt).toBe(1_000)
    expect(references.map(({ requests }) => requests[0]?.prompt.text)).toEqual(['The task.', 'The task.', 'The task.'])
  })

  it('keeps books of every call and sums their usage', async () => {
    const completion = await careful([oak(), broken('bad'), elm()]).ask()
    expect(completion.calls.map(({ kind, model }) => `${kind} ${model}`)).toEqual([
      'reference one',
      'reference bad',
      'reference two',
      'aggregate judge',
    ])
    expect(completion.usage).toEqual({ inputTokens: 30, outputTokens: 6, costUsd: 1.5 })
    expect(completion.attempts.map(({ model, outcome }) => `${model} ${outcome}`)).toEqual([
      'one ok',
      'bad bad_request',
      'two ok',
      'judge ok',
      'moa/careful ok',
    ])
  })

  it('leaves a failed reference out, and says only that one is missing', async () => {
    const { ask, judge } = careful([oak(), broken('bad'), elm()])
    const completion = await ask()
    expect(judge.requests[0]?.prompt.text).not.toContain('bad')
    expect(judge.requests[0]?.prompt.text).toContain('number="2"')
    expect(completion.warnings.join()).toContain('1 of 3')
  })

  it('takes the only answer as it is', async () => {
    const { ask, judge } = careful([broken('bad'), elm()])
    expect(await ask()).toMatchObject({ text: 'Opinion elm, at length.', model: 'moa/careful' })
    expect(judge.requests).toHaveLength(0)
  })

  it.each([
    ['no answer at all', [broken('one'), broken('two')], 1],
    ['fewer than minSuccessful', [oak(), broken('two')], 2],
  ] as const)(
    'fails as references_failed with %s, without asking the aggregator',
    async (_name, references, minSuccessful) => {
      const { ask, judge } = careful(references, { minSuccessful })
      const error = await ask().catch((thrown: unknown) => thrown)
      expect(error).toBeInstanceOf(ModelError)
      expect(error).toMatchObject({ model: 'moa/careful', outcome: 'references_failed' })
      expect((error as ModelError).facts.attempts?.at(-1)).toMatchObject({
        model: 'moa/careful',
        outcome: 'references_failed',
      })
      expect(judge.requests).toHaveLength(0)
    },
  )

  it('says what the answers cost that came in vain', async () => {
    await expect(careful([oak(), broken('two')], { minSuccessful: 2 }).ask()).rejects.toMatchObject({
      facts: { usage: { inputTokens: 10, outputTokens: 2, costUsd: 0.5 } },
    })
  })

  it('fails as overflow when the prompt is too long for every reference', async () => {
    const tooLong = (id: string) => fakeModel(id, [fails(id, 'overflow')])
    await expect(careful([tooLong('one'), tooLong('two')]).ask()).rejects.toMatchObject({ outcome: 'overflow' })
    await expect(careful([tooLong('one'), broken('two')]).ask()).rejects.toMatchObject({ outcome: 'references_failed' })
  })

  it('takes the best reference when the aggregator fails, with a warning', async () => {
    const facts = [{ kind: 'decision', text: 'elm, at length', probe: 'elm, at length' }] as const
    const answer = { headings: [], placeholders: [], facts, userWords: '', previousSummary: '' }
    const completion = await careful([oak(), elm()], { judge: broken('judge') }).ask({ answer })
    expect(completion.text).toBe('Opinion elm, at length.')
    expect(completion.warnings.join()).toContain('aggregator')
  })

  it('waits for a hanging reference for its own timeout and no longer', async () => {
    const { ask, clock } = careful(
      [fakeModel('one', [hangs]), elm(), fakeModel('three', [says('three', 'Opinion fir.')])],
      {
        referenceTimeoutMs: 1_200,
      },
    )
    const startedAt = clock.now()
    const completion = await clock.settle(ask())
    expect(completion.text).toBe('The verdict.')
    expect(clock.now() - startedAt).toBeLessThan(1_500)
    expect(completion.attempts[0]).toMatchObject({ model: 'one', outcome: 'timeout' })
  })

  it('keeps time for the aggregator, however short the deadline', async () => {
    const { ask, clock, judge } = careful([fakeModel('one', [hangs]), elm(), oak()])
    const deadlineAt = clock.now() + 10_000
    expect((await clock.settle(ask({ deadlineAt }))).text).toBe('The verdict.')
    expect(deadlineAt - clock.now()).toBeGreaterThan(2_500)
    expect(judge.requests[0]?.deadlineAt).toBe(deadlineAt)
  })

  it('lets only the aggregator speak to the listener', async () => {
    const talks = (id: string) =>
      fakeModel(id, [
        async (request) => {
          request.listener?.delta?.(id)
          return completionOf(id, id)
        },
      ])
    const heard: string[] = []
    const { ask } = careful([talks('one'), talks('two')], { judge: talks('judge') })
    await ask({ listener: { delta: (text) => void heard.push(text) } })
    expect(heard).toEqual(['judge'])
  })

  it('is as small as the smallest of its models', () => {
    const small = fakeModel('small', [says('small', 's')], { contextWindow: 9_000 })
    expect(careful([oak(), small]).model.contextWindow).toBe(9_000)
  })

  it('stops everything when the caller leaves', async () => {
    const controller = new AbortController()
    const reference = fakeModel('one', [hangs])
    const pending = careful([reference, elm()])
      .ask({}, controller.signal)
      .catch((error: unknown) => error)
    controller.abort('gone')
    expect(await pending).toBe('gone')
    expect(reference.signals[0]?.aborted).toBe(true)
  })
})
