import { describe, expect, it, onTestFinished } from 'vitest'
import { textTokens } from '../../../src/domain/tokens/text-tokens.ts'
import { type FoldFigures, planFold } from '../../../src/domain/transcript/fold-plan.ts'
import { withSpelledParts } from '../../../src/domain/transcript/spelled-parts.ts'
import type { Completion, CompletionRequest, Model } from '../../../src/models/model.ts'
import type { ModelError } from '../../../src/models/model-error.ts'
import { silentObserver } from '../../../src/models/observer.ts'
import { spelledPrompt, textPrompt } from '../../../src/models/prompt.ts'
import { withFold } from '../../../src/models/wrappers/fold.ts'
import type { FoldOptions } from '../../../src/models/wrappers/folding/fold-parts.ts'
import { type Asked, completionOf, fails, fakeModel, never, requestOf, row } from '../../support/fake-model.ts'
import { virtualClock } from '../../support/virtual-clock.ts'

const INSTRUCTIONS = 'Summarise the conversation above.\n\n## Goal\n[one line]'
const message = (i: number, bytes = 1_000) =>
  `[${i % 2 === 0 ? 'User' : 'Assistant'}]: m${i}-begin ${'word '.repeat(bytes / 5)} m${i}-end`
const promptOf = (count: number, rest = INSTRUCTIONS) =>
  `<conversation>\n${Array.from({ length: count }, (_, i) => message(i)).join('\n\n')}\n</conversation>\n\n${rest}`
const TEMPLATES = { part: 'PART {{part}} of {{parts}}:', merge: 'MERGE {{parts}}:', update: 'UPDATE:' }
const SMALL: Partial<Model> = { contextWindow: 8_000, maxOutputTokens: 2_000 }

type Reply = Parameters<typeof fakeModel>[1][number]

function folded(reply: Reply, more: Partial<FoldOptions> & { model?: Partial<Model> } = {}) {
  const clock = virtualClock()
  const parts: number[] = []
  const { model: facts, ...options } = more
  const model = fakeModel('a', [reply], { ...SMALL, ...facts })
  const wrapped = withFold(model, {
    mode: 'parallel',
    freePlaces: () => 0,
    templates: TEMPLATES,
    clock,
    observer: { ...silentObserver, foldParts: (count) => void parts.push(count) },
    ...options,
  })
  const ask = (request: Asked = {}, signal = never()) =>
    wrapped.complete(requestOf({ prompt: promptOf(48), maxTokens: 500, ...request }), signal)
  return { ask, model, clock, parts }
}
const isMerge = ({ prompt }: CompletionRequest) => prompt.text.includes('MERGE ')
const echo: Reply = async (request) =>
  completionOf('a', isMerge(request) ? 'merged' : `summary of ${/m\d+-begin/.exec(request.prompt.text)?.[0]}`)
const overflowsOver =
  (characters: number): Reply =>
  (request, signal) =>
    request.prompt.text.length > characters ? fails('a', 'overflow')(request, signal) : echo(request, signal)
const failureOf = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    (error: unknown) => error as ModelError,
  )

describe('fold', () => {
  it('asks once for what fits, with the cap clamped to the model and half of its window', async () => {
    const { ask, model } = folded(echo)
    const completion = await ask({ prompt: promptOf(10), maxTokens: 9_000 })
    expect(completion.method).toBe('model')
    expect(completion.calls).toEqual([])
    expect(model.requests.map(({ maxTokens }) => maxTokens)).toEqual([2_000])
  })

  it('asks for balanced parts, then for one merge of them in order', async () => {
    const { ask, model, parts } = folded(echo)
    const completion = await ask({
      prompt: promptOf(48, `<previous-summary>\nheron\n</previous-summary>\n\n${INSTRUCTIONS}`),
    })
    expect(completion).toMatchObject({ text: 'merged', method: 'fold' })
    expect(parts).toEqual([3])
    const [one, two, three, merge] = model.requests.map(({ prompt }) => prompt.text)
    for (const [i, part] of [one, two, three].entries()) {
      expect(part).toContain(`PART ${i + 1} of 3:`)
      expect(part?.endsWith(INSTRUCTIONS)).toBe(true)
      expect(part).not.toContain('heron')
      expect(textTokens(part ?? '')).toBeLessThan(8_000)
    }
    expect(merge).toMatch(
      /heron[\s\S]*summary of m0-begin[\s\S]*summary of m1\d-begin[\s\S]*summary of m3\d-begin[\s\S]*MERGE 3:/,
    )
    expect(merge?.endsWith(INSTRUCTIONS)).toBe(true)
    for (let i = 0; i < 48; i += 1) {
      expect([one, two, three].filter((part) => part?.includes(`m${i}-begin `)).length).toBe(1)
    }
  })

  it('keeps books of every call', async () => {
    const { ask } = folded(echo)
    const completion = await ask()
    expect(completion.calls.map(({ kind, model }) => `${kind} ${model}`)).toEqual([
      'part a',
      'part a',
      'part a',
      'merge a',
    ])
    expect(completion.usage).toEqual({ inputTokens: 40, outputTokens: 8, costUsd: 2 })
    expect(completion.attempts.map(({ outcome }) => outcome)).toEqual(['ok', 'ok', 'ok', 'ok'])
  })

  it.each([
    ['four where the provider has no free place', {}, 0, 4, 600],
    ['all where it has one for each', {}, 8, 8, 400],
    ['as many as there are places', {}, 5, 5, 600],
    ['what is configured, whatever is free', { concurrency: 2 }, 8, 2, 1_000],
  ])('runs parts side by side: %s', async (_what, more, places, expected, tookMs) => {
    let running = 0
    let peak = 0
    const clock = virtualClock()
    const slow: Reply = async (request, signal) => {
      running += 1
      peak = Math.max(peak, running)
      await clock.sleep(200, signal)
      running -= 1
      return echo(request, signal)
    }
    const freePlaces = () => Math.max(0, places - running)
    const { ask, parts } = folded(slow, { clock, freePlaces, ...more })
    const startedAt = clock.now()
    await clock.settle(ask({ prompt: promptOf(175) }))
    expect(parts).toEqual([8])
    expect(peak).toBe(expected)
    expect(clock.now() - startedAt).toBe(tookMs)
  })

  it('speaks to the listener in the merge alone', async () => {
    const heard: string[] = []
    const talkative: Reply = async (request, signal) => {
      const completion = await echo(request, signal)
      request.listener?.delta?.(completion.text)
      request.listener?.attempt?.(row('a', 'ok'))
      return completion
    }
    const listener = { delta: (text: string) => void heard.push(text), attempt: () => void heard.push('attempt') }
    await folded(talkative).ask({ listener })
    expect(heard).toEqual(['attempt', 'attempt', 'attempt', 'merged', 'attempt'])
  })

  it('merges in rounds when the summaries are too many for one merge', async () => {
    const wordy: Reply = async (request) =>
      completionOf('a', `${isMerge(request) ? 'merged' : 'part'} ${'w '.repeat(900)}`)
    const { ask, model } = folded(wordy, { model: { contextWindow: 3_000 } })
    const completion = await ask({ prompt: promptOf(60), maxTokens: 500 })
    expect(completion.text).toMatch(/^merged/)
    const merges = model.requests.filter(isMerge)
    expect(merges.length).toBeGreaterThan(1)
    for (const { prompt, maxTokens = 0 } of model.requests)
      expect(textTokens(prompt.text) + maxTokens).toBeLessThanOrEqual(3_000)
  })

  it('reads one part after the other in sequential mode, carrying the summary', async () => {
    const { ask, model } = folded(echo, { mode: 'sequential' })
    const completion = await ask()
    expect(completion).toMatchObject({ method: 'fold' })
    const [one, two, three] = model.requests.map(({ prompt }) => prompt.text)
    expect(one).not.toContain('<previous-summary>')
    expect(two).toContain('<previous-summary>\nsummary of m0-begin\n</previous-summary>')
    expect(three).toMatch(/summary of m1\d-begin[\s\S]*UPDATE:/)
    expect(model.requests).toHaveLength(3)
  })

  it('cuts a single giant message, says so, and needs no merge', async () => {
    const { ask, model } = folded(echo)
    const giant = `[User]: head-mark ${'log '.repeat(20_000)} tail-mark`
    const completion = await ask({ prompt: `<conversation>\n${giant}\n</conversation>\n\n${INSTRUCTIONS}` })
    expect(model.requests).toHaveLength(1)
    expect(model.requests[0]?.prompt.text).toMatch(/head-mark[\s\S]*characters left out here[\s\S]*tail-mark/)
    expect(completion.warnings.join()).toMatch(/\d+ characters left out/)
    expect(completion.method).toBe('model')
  })

  it('plans anew with half of what was refused, and remembers it for 30 minutes', async () => {
    const { ask, model, clock } = folded(overflowsOver(12_000))
    const refused = () => model.requests.filter(({ prompt }) => prompt.text.length > 12_000).length
    const completion = await ask({ prompt: promptOf(19), maxTokens: 300 })
    expect(completion.text).toBe('merged')
    expect(refused()).toBe(1)
    expect(completion.attempts.map(({ outcome }) => outcome)).toContain('overflow')
    expect(completion.calls.map(({ kind }) => kind).at(-1)).toBe('merge')
    await ask({ prompt: promptOf(19), maxTokens: 300 })
    expect(refused()).toBe(1)
    await clock.advance(30 * 60_000)
    await ask({ prompt: promptOf(19), maxTokens: 300 })
    expect(refused()).toBe(2)
  })

  it('gives up on a model that refuses every length', async () => {
    const { ask, model } = folded(overflowsOver(0))
    const error = await failureOf(ask())
    expect(error?.outcome).toBe('overflow')
    expect(model.requests.length).toBeLessThan(40)
    expect(error?.facts.attempts?.filter(({ outcome }) => outcome === 'overflow').length).toBeGreaterThan(0)
    // What it was taken to hold in the end, not what it is said to hold: another model of that size may do.
    expect(error?.facts.windowTokens).toBeLessThan(SMALL.contextWindow ?? 0)
  })

  it('fails without a call, planned once, for a prompt that can or may not be folded', async () => {
    let planned = 0
    const { ask, model } = folded(echo, {
      plan: async (prompt, figures) => {
        planned += 1
        return planFold({ ...figures, prompt: prompt.text })
      },
    })
    for (const request of [{ prompt: 'word '.repeat(8_000) }, { fold: false }]) {
      const error = await failureOf(ask(request))
      expect(error).toMatchObject({ outcome: 'overflow', model: 'a' })
      expect(error?.facts.attempts).toEqual([])
    }
    expect(planned).toBe(2)
    expect(model.requests).toHaveLength(0)
  })

  it('asks whole what cannot be folded but fits, with the cap the window leaves', async () => {
    const { ask, model } = folded(echo)
    await ask({ prompt: 'word '.repeat(5_600), maxTokens: 2_000 })
    expect(model.requests[0]?.maxTokens).toBe(8_000 - 7_000 - textTokens('You summarise.'))
  })

  it('fails with the rows of all parts and stops the others when one fails', async () => {
    const clock = virtualClock()
    const aborted: string[] = []
    const reply: Reply = async (request, signal) => {
      const first = /m\d+-begin/.exec(request.prompt.text)?.[0] ?? ''
      if (first === 'm0-begin') return echo(request, signal)
      if (request.prompt.text.includes('PART 2')) {
        await clock.sleep(100, signal)
        return fails('a', 'server_error')(request, signal)
      }
      await clock.sleep(10_000, signal).catch((error: unknown) => {
        aborted.push(first)
        throw error
      })
      return echo(request, signal)
    }
    const { ask, model } = folded(reply, { clock })
    const error = await clock.settle(failureOf(ask()))
    expect(error?.outcome).toBe('server_error')
    expect(error?.facts.attempts?.map(({ outcome }) => outcome)).toEqual(['ok', 'server_error', 'aborted'])
    expect(aborted).toHaveLength(1)
    expect(model.requests.filter(isMerge)).toHaveLength(0)
  })

  it('is never cached or taken for whole when one part was cut short', async () => {
    const reply: Reply = async (request, signal) => {
      const completion = await echo(request, signal)
      return isMerge(request) ? completion : { ...completion, truncated: true, warnings: ['cut'] }
    }
    expect(await folded(reply).ask()).toMatchObject({
      truncated: true,
      warnings: ['cut'],
    } satisfies Partial<Completion>)
  })

  it('throws the reason of the caller who left', async () => {
    const controller = new AbortController()
    const clock = virtualClock()
    const { ask } = folded(async (_request, signal) => clock.sleep(1_000, signal).then(() => completionOf('a', 'x')))
    const pending = failureOf(ask({}, controller.signal))
    controller.abort('gone')
    expect(await pending).toBe('gone')
  })

  it.each(['parallel', 'sequential'] as const)(
    'asks for the same %s parts of a text and of its spelling',
    async (mode) => {
      const wide = promptOf(48)
        .replaceAll('word word', 'wörd 漢字 😀')
        .replaceAll('m7-begin', `m7-begin ${'漢'.repeat(9_000)}`)
      const asked: (readonly string[])[] = []
      const json = Buffer.from(JSON.stringify(wide))
      for (const prompt of [textPrompt(wide), spelledPrompt(json, { tokens: textTokens(wide) })]) {
        const plan = async (_: unknown, figures: FoldFigures) => {
          const planned = planFold({ ...figures, prompt: wide })
          return prompt.json === undefined ? planned : withSpelledParts(planned, wide, json)
        }
        const { ask, model } = folded(echo, { mode, plan })
        await ask({ prompt })
        asked.push(model.requests.map((request) => request.prompt.text))
      }
      expect(asked[0]?.length).toBeGreaterThan(3)
      expect(asked[1]).toEqual(asked[0])
    },
  )

  it('lets others have a turn between two long parts', async () => {
    let turns = 0
    const count = () => {
      turns += 1
      counting = setImmediate(count)
    }
    let counting = setImmediate(count)
    onTestFinished(() => clearImmediate(counting))
    const begun: number[] = []
    const { ask } = folded(
      async (request, signal) => {
        if (!isMerge(request)) begun.push(turns)
        return echo(request, signal)
      },
      { freePlaces: () => 9, model: { contextWindow: 40_000 } },
    )
    await ask({ prompt: promptOf(400) })
    expect(begun.length).toBeGreaterThan(3)
    expect(new Set(begun).size).toBe(begun.length)
  })

  it('plans where it is told to', async () => {
    let planned = 0
    const { ask, parts } = folded(echo, {
      plan: async (prompt, figures) => {
        planned += 1
        return planFold(structuredClone({ ...figures, prompt: prompt.text }))
      },
    })
    await ask()
    expect(parts).toEqual([3])
    await ask({ prompt: 'short' })
    expect(planned).toBe(1)
  })
})
