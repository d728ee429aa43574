import { describe, expect, it } from 'vitest'
import type { Completion } from '../../../src/models/model.ts'
import type { CallContext } from '../../../src/pipelines/pipeline-context.ts'
import { summarize } from '../../../src/pipelines/prompt/summarize.ts'
import { summarizeRequest, summarizeResult } from '../../../src/pipelines/prompt/summarize-schema.ts'
import { parseRequest } from '../../../src/requests/parse-request.ts'
import { completionOf } from '../../support/fake-model.ts'
import { ALPHA, CONTEXT, pipelineWorld, type Reply } from '../../support/pipeline-world.ts'

const FACTS = 'src/queue.ts'
const CONVERSATION = [
  '<conversation>',
  `[User]: Please fix ${FACTS} and never touch the schema.`,
  '',
  `[Assistant tool calls]: edit(path="${FACTS}")`,
  '',
  '[Assistant]: Done, the queue retries now.',
  '</conversation>',
].join('\n')
const WITH_HEADINGS = `${CONVERSATION}\n\nSummarise it under these headings:\n\n## Goal\n\n## Progress`

/** Runs the pipeline over a chain that says `reply`; what was asked is in `asked`. */
function stage(reply: Reply = () => 'Fine.', context: Partial<CallContext> = {}) {
  const world = pipelineWorld({ reply })
  const events: unknown[][] = []
  const signal = new AbortController().signal
  const run = (body: object) =>
    summarize(
      {
        request: parseRequest(summarizeRequest, body),
        context: { ...CONTEXT, ...context },
        deps: world.deps,
        emit: ({ name, data }) => events.push([name, data]),
      },
      signal,
    )
  return { ...world, run, signal, events }
}

const body = (more: object = {}) => ({ systemPrompt: 'S.', prompt: 'P.', ...more })

describe('summarize: what the model is asked', () => {
  it('is the prompt as it came, the deadline and the cap', async () => {
    const { run, asked, signal } = stage(undefined, { traceparent: 'trace', noCache: true, allowedModels: ['alpha/*'] })
    await run(body({ prompt: '  as it\r\ncame \t', maxTokens: 77, model: 'alpha/small' }))
    expect(asked[0]).toMatchObject({
      system: 'S.',
      prompt: '  as it\r\ncame \t',
      maxTokens: 77,
      expects: 'text',
      deadlineAt: CONTEXT.deadlineAt,
      traceparent: 'trace',
      noCache: true,
      selection: { model: 'alpha/small', allowed: ['alpha/*'] },
      signal,
    })
  })

  it('has a cap of 16384 tokens where none is named, and no selection where nothing is selected', async () => {
    const { run, asked } = stage()
    await run(body())
    expect(asked[0]).toMatchObject({ maxTokens: 16_384, selection: {} })
  })

  it('loses NUL and lone surrogates, which no provider takes, and nothing else', async () => {
    const { run, asked } = stage()
    await run(body({ systemPrompt: 'a\0b', prompt: 'x\uD800y\0z 🦦 \u0007' }))
    expect(asked[0]).toMatchObject({ system: 'a\uFFFDb', prompt: 'x\uFFFDy\uFFFDz 🦦 \u0007' })
  })

  it.each([
    [['One.', 'Two.'], 'One.\n\nTwo.'],
    [['One.'], 'One.'],
    [[], ''],
    ['', ''],
  ])('joins the system prompt %j by blank lines', async (systemPrompt, system) => {
    const { run, asked } = stage()
    await run(body({ systemPrompt }))
    expect(asked[0]?.system).toBe(system)
  })
})

describe('summarize: what comes back', () => {
  it('fits its schema, and names the model, its usage, attempts and warnings', async () => {
    const { run } = stage(() => completionOf('alpha/small', 'Fine.', { warnings: ['It was cut.'], cache: 'miss' }))
    const { cache, ...result } = await run(body())
    expect(cache).toBe('miss')
    expect(summarizeResult.strict().parse(result)).toEqual({
      summary: 'Fine.',
      model: 'alpha/small',
      usage: { inputTokens: 10, outputTokens: 2, costUsd: 0.5 },
      attempts: [{ model: 'alpha/small', outcome: 'ok', durationMs: 5 }],
      degraded: false,
      warnings: ['It was cut.'],
    })
  })

  it('has the calls where there was more than one', async () => {
    const row = {
      kind: 'part',
      model: ALPHA.id,
      usage: { inputTokens: 1, outputTokens: 1, costUsd: 0 },
      attempts: [],
      durationMs: 3,
    }
    const calls: Completion['calls'] = [row, { ...row, kind: 'merge' }]
    const { run } = stage(() => completionOf('alpha/small', 'Fine.', { calls, method: 'fold' }))
    expect((await run(body())).calls).toEqual(calls)
  })

  it('tells attempts, deltas and resets as they come', async () => {
    const { run, events } = stage((_kind, { listener }) => {
      listener?.delta?.('Fi')
      listener?.reset?.()
      listener?.delta?.('Fine.')
      listener?.attempt?.({ model: 'a', outcome: 'ok', durationMs: 1 })
      return 'Fine.'
    })
    await run(body())
    expect(events).toEqual([
      ['delta', { text: 'Fi' }],
      ['reset', {}],
      ['delta', { text: 'Fine.' }],
      ['attempt', { model: 'a', outcome: 'ok', durationMs: 1 }],
    ])
  })

  it('is the failure of the chain where that failed', async () => {
    const failure = new Error('failed')
    const { run } = stage(() => Promise.reject(failure))
    await expect(run(body())).rejects.toBe(failure)
  })
})

describe('summarize: the audit', () => {
  it('happens where a conversation is to be summarised under headings, and puts lost facts back', async () => {
    const { run, asked, audits } = stage(() => '## Goal\nFix it.\n\n## Progress\nDone.')
    const result = await run(body({ prompt: WITH_HEADINGS }))
    expect(asked[0]?.expects).toBe('headings')
    expect(result.audit?.facts).toBeGreaterThan(0)
    expect(result.audit?.restored.map(({ text }) => text).join('\n')).toContain(FACTS)
    expect(result.summary).toMatch(/^## Goal\nFix it\./)
    expect(result.summary).toContain(FACTS)
    expect(result.calls).toMatchObject([{ kind: 'summary', model: 'alpha/small' }])
    expect(audits).toEqual([[result.audit?.kept, result.audit?.restored.length]])
    expect(() => summarizeResult.parse(result)).not.toThrow()
  })

  it('does not happen without headings, without a conversation, or where it is turned off', async () => {
    for (const prompt of [CONVERSATION, `${CONVERSATION}\n\nIn two sentences, please.`, 'Summarise.\n\n## Goal']) {
      const { run, asked } = stage()
      expect((await run(body({ prompt }))).audit).toBeUndefined()
      expect(asked[0]?.expects).toBe('text')
    }
    const world = pipelineWorld({ reply: () => '## Goal\nFix it.' })
    const deps = { ...world.deps, defaults: { ...world.deps.defaults, auditSummarize: false } }
    const request = parseRequest(summarizeRequest, body({ prompt: WITH_HEADINGS }))
    const result = await summarize({ request, context: CONTEXT, deps }, new AbortController().signal)
    expect(result).toMatchObject({ summary: '## Goal\nFix it.' })
    expect(result.audit).toBeUndefined()
  })

  it('leaves alone what was made without a language model', async () => {
    const { run, audits } = stage(() => completionOf('recapd/extractive', '## Goal\nQuoted.', { degraded: true }))
    const result = await run(body({ prompt: WITH_HEADINGS }))
    expect(result).toMatchObject({ summary: '## Goal\nQuoted.', degraded: true })
    expect(audits).toEqual([])
  })
})

describe('summarizeRequest', () => {
  it.each([
    [{}, ['/systemPrompt', '/prompt']],
    [body({ prompt: '' }), ['/prompt']],
    [body({ systemPrompt: ['a', 5] }), ['/systemPrompt']],
    [body({ maxTokens: 0 }), ['/maxTokens']],
    [body({ maxTokens: 1.5 }), ['/maxTokens']],
    [body({ model: '' }), ['/model']],
    [[], ['']],
    [null, ['']],
  ])('refuses %j', (value, paths) => {
    const fault = (() => {
      try {
        return parseRequest(summarizeRequest, value)
      } catch (error) {
        return error
      }
    })()
    expect(fault).toMatchObject({
      code: 'invalid-request',
      extras: { errors: paths.map((path) => expect.objectContaining({ path })) },
    })
  })

  it('lets fields of next year through', () => {
    expect(parseRequest(summarizeRequest, body({ next: { deep: [1] } }))).toMatchObject({ next: { deep: [1] } })
  })
})
