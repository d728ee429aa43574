import { describe, expect, it } from 'vitest'
import { madeProgress } from '../../../src/domain/list/progress.ts'
import { appOfTest, type TestAppOptions } from '../../support/build-test-app.ts'
import { brokenInvariants } from '../../support/chat-invariants.ts'
import { chat, filler, says, system, user } from '../../support/chat-lists.ts'
import type { RecordedRequest, Reply } from '../../support/fake-provider.ts'

// Public reports about message lists; docs/bug-log.md says what each was, and which ones we decide otherwise or cannot have.
const SUMMARY = '## Goal\nplain work'
const messages = [system, ...chat(20)]
const modelOf = (request: RecordedRequest) => String(request.body['model'])

/** POST /compact with a list against a provider that answers by model. */
async function compact(script: (request: RecordedRequest) => Reply, body: object = {}, options: TestAppOptions = {}) {
  const config = { candidates: ['alpha/small', 'alpha/big'], ...options.config }
  const { app, provider } = await appOfTest({ ...options, script, config })
  const answer = await app.inject({
    method: 'POST',
    url: '/compact',
    payload: { messages, contextWindow: 8000, ...body },
  })
  return { status: answer.statusCode, body: answer.json(), asked: provider.requests.map(modelOf), provider }
}

describe('reports that need the whole chain', () => {
  it('#39548 #39550 as many rows but a third fewer tokens is progress', () => {
    expect(madeProgress(288_028, 183_180)).toBe(true)
  })

  it('#11978 #11914 #94448 a blank answer is no summary: the next model, then a problem, and nothing was changed', async () => {
    const next = await compact((request) => ({ text: modelOf(request) === 'small' ? ' \n ' : SUMMARY }))
    expect(next.body).toMatchObject({ compacted: true, calls: [{ model: 'alpha/big' }] })
    expect(new Set(next.asked)).toEqual(new Set(['small', 'big']))
    const never = await compact(() => ({ text: ' \n ' }))
    expect(never).toMatchObject({ status: 502, body: { code: 'models-failed', state: expect.any(String) } })
    expect(never.body).not.toHaveProperty('messages')
  })

  it('#22244 #18458 a page of HTML and a cut body are passing faults: the next model answers', async () => {
    for (const raw of ['<html>busy</html>', '{"choices":[{"mess']) {
      const { body } = await compact((request) => (modelOf(request) === 'small' ? { raw } : { text: SUMMARY }))
      expect(body).toMatchObject({ compacted: true, calls: [{ model: 'alpha/big' }] })
    }
  })

  it('#53008 a region larger than the window of the model is read in parts', async () => {
    const { body, asked } = await compact(
      () => ({ text: SUMMARY }),
      { messages: [system, ...chat(60, 'job', 800)], contextWindow: 128_000, thresholdTokens: 9000 },
      { models: { tiny: { contextWindow: 8000, maxOutputTokens: 1000 } }, config: { candidates: ['alpha/tiny'] } },
    )
    expect(body).toMatchObject({ compacted: true, method: 'fold' })
    expect(asked.length).toBeGreaterThan(5)
    expect(brokenInvariants(body.messages, 'openai')).toEqual([])
  })

  const moa = { careful: { references: ['alpha/small', 'alpha/big'], aggregator: 'alpha/final' } }
  const mixture = { models: { final: { contextWindow: 128_000 } }, config: { candidates: ['moa/careful'], moa } }
  const third = {
    ...mixture.config,
    moa: { careful: { ...moa.careful, references: [...moa.careful.references, 'alpha/more'] } },
  }

  it('#56878 when every reference fails the aggregator is not asked', async () => {
    const { status, asked } = await compact(() => ({ status: 400, json: { error: { message: 'bad' } } }), {}, mixture)
    expect(status).toBeGreaterThanOrEqual(424)
    expect(asked).not.toContain('final')
  })

  it('#53784 what a reference failed with reaches nobody', async () => {
    const failure = { status: 400, json: { error: { message: 'boom-secret' } } }
    const { body, provider } = await compact(
      (request) => (modelOf(request) === 'small' ? failure : { text: SUMMARY }),
      {},
      { models: { ...mixture.models, more: { contextWindow: 128_000 } }, config: third },
    )
    expect(body).toMatchObject({ compacted: true, method: 'moa' })
    expect(provider.requests.map(modelOf)).toContain('final')
    expect(JSON.stringify(provider.requests.map((request) => request.body))).not.toContain('boom-secret')
    expect(JSON.stringify(body)).not.toContain('boom-secret')
  })
})

describe('a list whose newest work is silent', () => {
  it('#80622 keeps a user row, and says that nobody waits', async () => {
    const steps = Array.from({ length: 30 }, (_, n) => says(filler(300, `step${n}`)))
    const { body } = await compact(() => ({ text: SUMMARY }), { messages: [user('one ask'), ...steps] })
    expect(body).toMatchObject({ compacted: true, noLiveUserTurn: true })
    expect(brokenInvariants(body.messages, 'openai')).toEqual([])
  })
})
