import { describe, expect, it } from 'vitest'
import { madeProgress } from '../../../src/domain/list/progress.ts'
import { appOfTest, type TestAppOptions } from '../../support/build-test-app.ts'
import { brokenInvariants } from '../../support/chat-invariants.ts'
import { chat, filler, says, system, user } from '../../support/chat-lists.ts'
import type { RecordedRequest, Reply } from '../../support/fake-provider.ts'
import { testTitles } from '../../support/test-titles.ts'

/** What the titles of the tests begin with that hold reports of hermes-spec §21. */
const COVERED: readonly string[] = [
  '#28053',
  '#55572',
  '#55572 #51800',
  '#57491',
  '#11475 #14521 #41607',
  '#80622',
  '#33256 #38389',
  '#23767',
  '#52160',
  '#58753 #59122',
  '#57835',
  '#59496',
  '#14665',
  '#35344',
  '#40803 #36624',
  '#14694',
  '#62452 #15935',
  '#14690',
  '#43547',
  '#11762 #13574 #12731',
  '#61932 #76352',
  '#51218',
  '#9999 #55845',
  '#10896',
  '#22523',
  '#29824',
  '#29559 #25585 #10719',
  '#40803',
  '#39548 #39550',
  '#11978 #11914 #94448',
  '#22244 #18458',
  '#53008',
  '#56878',
  '#53784',
  'waits for a hanging reference for its own timeout and no longer',
]

/** Every number of hermes-spec §21. */
const REPORTS =
  '#28053 #55572 #51800 #57491 #98450 #11475 #14521 #41607 #80622 #35344 #33256 #38389 #40803 #36624 #14694 #14690 #43547 #39548 #39550 #23767 #11762 #13574 #12731 #51218 #9999 #55845 #52160 #58753 #59122 #10896 #22523 #29824 #11978 #11914 #94448 #29559 #25585 #10719 #62452 #15935 #22244 #18458 #57835 #61932 #76352 #59496 #14665 #13576 #53008 #60345 #83784 #56878 #53784 #53580 #70279 #53866 #67199 #63393 #82541'.split(
    ' ',
  )

/** Where our specification decides otherwise than the report; the numbers behind the colon are what it says. */
const OVERRULED: Readonly<Record<string, string>> = {
  '#13576':
    'session-compaction §12: every call has a cap on the wire; a list gets one above the length it is asked for',
  '#60345': 'models §8: a reference gets the whole prompt or fails as overflow; nothing is trimmed unseen',
  '#83784': 'models §8: as #60345; an undercounted text comes back as overflow and is folded by a learned window (§6)',
  '#53580': 'models §8: references and aggregator share the cap of the call; there is no cap for advisors alone',
  '#70279': 'models §8: as #53580',
}

/** What a stateless service cannot do wrong. */
const INAPPLICABLE: Readonly<Record<string, string>> = {
  '#98450': 'rows are stored by the agent: we keep none, and give every row out without its store marker (#57491)',
  '#53866': 'a summary is one call: there is no tool loop in which references could be asked again',
  '#67199': 'as #53866',
  '#63393': 'as #53866',
  '#82541': 'answers of references are used once, in the call they were made for',
}

describe('reports of hermes-spec §21', () => {
  const titles = testTitles()

  it.each(COVERED)('%s is the title of a test', (title) => {
    expect(titles.filter((line) => line.includes(title))).not.toEqual([])
  })

  it.each(REPORTS)('%s is covered, overruled or inapplicable, and only one of them', (id) => {
    const covered = COVERED.join(' ').split(' ').includes(id)
    expect([covered, id in OVERRULED, id in INAPPLICABLE].filter(Boolean)).toHaveLength(1)
  })
})

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
