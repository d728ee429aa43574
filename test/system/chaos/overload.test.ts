import { createHash } from 'node:crypto'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { expectProblem } from '../../support/expect-problem.ts'
import { fakeProvider, type Script } from '../../support/fake-provider.ts'
import { exitCodeOf, serviceOfTest } from '../../support/service-process.ts'
import { waitUntil } from '../../support/wait-until.ts'
import { type ClientAnswer, client } from './client.ts'

const ATTEMPT_MS = 5_000
const MAX_WAIT_MS = 1_000
const GATE = { maxConcurrency: 4, queue: { maxSize: 8, maxWaitMs: MAX_WAIT_MS } }

/** A real process in front of one provider with a narrow gate. */
async function stage(script: Script, more: object = {}, gate: object = GATE) {
  const provider = await fakeProvider(script)
  onTestFinished(provider.close)
  const service = await serviceOfTest({
    providers: {
      alpha: { baseUrl: provider.url, apiKeys: ['key'], models: { small: { contextWindow: 128_000 } }, ...gate },
    },
    candidates: ['alpha/small'],
    timeouts: { attemptMs: ATTEMPT_MS },
    retry: { maxAttempts: 1 },
    rateLimit: { max: 1_000_000, windowMs: 60_000 },
    ...more,
  })
  const agent = client(service.url)
  onTestFinished(agent.close)
  let asked = 0
  const ask = () => {
    asked += 1
    return agent.post('/summarize', { systemPrompt: 'S.', prompt: `What happened in case ${asked}?` })
  }
  return { provider, service, ask }
}

const GREEDY = 640
const KEYS = { greedy: 'a key that never rests', quiet: 'a key that asks now and then' }
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

describe('the whole service beside one greedy key', () => {
  it('lets a quiet key wait at most twice as long as alone, while 640 connections of another never rest', {
    timeout: 60_000,
  }, async () => {
    // So long that the ratio says more of the queue than of a machine that is busy with other things.
    const keys = Object.entries(KEYS).map(([name, key]) => ({ name, sha256: sha256(key) }))
    const { service } = await stage([{ text: 'It went well.', delayMs: 800 }], { auth: { keys } }, {})
    const agent = client(service.url)
    onTestFinished(agent.close)
    let asked = 0
    const ask = async (key: string) => {
      asked += 1
      const body = { systemPrompt: 'S.', prompt: `What happened in case ${asked}?` }
      const startedAt = performance.now()
      const { status, headers } = await agent.post('/summarize', body, { 'x-api-key': key })
      return { status, ms: performance.now() - startedAt, restMs: 1_000 * Number(headers['retry-after'] ?? 0) }
    }
    const longestOfQuiet = async () => {
      const rows = []
      for (let i = 0; i < 5; i += 1) rows.push(await ask(KEYS.quiet))
      expect(rows.map(({ status }) => status)).toEqual(Array(5).fill(200))
      return Math.max(...rows.map(({ ms }) => ms))
    }
    const alone = await longestOfQuiet()
    let isOver = false
    let refused = 0
    const greedily = async () => {
      while (!isOver) {
        const { status, restMs } = await ask(KEYS.greedy)
        if (status === 503) refused += 1
        await sleep(restMs)
      }
    }
    const greedy = Array.from({ length: GREEDY }, greedily)
    await waitUntil(() => refused > 0, 'the greedy key has filled the queue')
    const beside = await longestOfQuiet()
    isOver = true
    await Promise.all(greedy)
    expect(beside / alone).toBeLessThanOrEqual(2)
  })
})

describe('the whole service with more work than it has room for', () => {
  it('answers ten times its capacity: what is accepted in time, the rest at once with a hint', async () => {
    // 4 slots of 100 ms are 40 answers a second; 400 requests a second come for three seconds.
    const { provider, service, ask } = await stage([{ text: 'It went well.', delayMs: 100 }])
    const asked: Promise<ClientAnswer>[] = []
    for (let tick = 0; tick < 150; tick += 1) {
      for (let i = 0; i < 8; i += 1) asked.push(ask())
      await sleep(20)
    }
    const answers = await Promise.all(asked)
    const accepted = answers.filter(({ status }) => status === 200)
    const refused = answers.filter(({ status }) => status !== 200)
    expect(answers).toHaveLength(1_200)
    // A slow machine accepts no fewer: each of the 4 + 8 places is taken again as soon as it is free.
    expect(accepted.length).toBeGreaterThanOrEqual(12)
    expect(refused.length).toBeGreaterThan(0)
    for (const answer of refused) {
      const problem = expectProblem(answer, 503, 'overloaded')
      expect(problem.retryable).toBe(true)
      expect(problem.attempts?.every(({ outcome, durationMs }) => /^queue_/.test(outcome) && durationMs === 0)).toBe(
        true,
      )
    }
    // The row counts the wait for a slot as well; the half second is for a machine that is busy with other things.
    for (const { body } of accepted) {
      expect(JSON.parse(body).attempts[0].durationMs).toBeLessThanOrEqual(MAX_WAIT_MS + ATTEMPT_MS + 500)
    }
    expect(provider.requests).toHaveLength(accepted.length)
    expect(provider.peakConnections()).toBeLessThanOrEqual(GATE.maxConcurrency)
    expect(await service.metric('recapd_queue_depth')).toBe(0)
    await waitUntil(async () => (await service.metric('recapd_inflight_requests')) === 0, 'nothing is in flight')
  })

  it('SIGTERM in the middle of it loses nothing that was accepted', async () => {
    const { provider, service, ask } = await stage(
      [{ text: 'It went well.', delayMs: 1_000 }],
      { server: { port: 0, drainDelayMs: 150 } },
      { ...GATE, queue: { maxSize: 8, maxWaitMs: 20_000 } },
    )
    const early = Array.from({ length: 12 }, ask)
    await waitUntil(async () => (await service.metric('recapd_queue_depth')) === 8, 'all places are taken')
    service.kill('SIGTERM')
    // A signal takes a moment to arrive; what is refused before that is refused by a service that goes on.
    const isDraining = () =>
      fetch(`${service.url}/readyz`).then(
        ({ status }) => status === 503,
        () => true,
      )
    await waitUntil(isDraining, 'the service is draining')
    const late: Promise<ClientAnswer | 'no connection'>[] = []
    for (let i = 0; i < 40; i += 1) {
      late.push(ask().catch(() => 'no connection' as const))
      await sleep(25)
    }
    for (const { status, body } of await Promise.all(early)) {
      expect(status).toBe(200)
      expect(JSON.parse(body).summary).toBe('It went well.')
    }
    const ends = await Promise.all(late)
    expect(await exitCodeOf(service, 10_000)).toBe(0)
    for (const end of ends) {
      if (end === 'no connection' || end.status === 200) continue
      const { code } = JSON.parse(end.body)
      expect(['draining', 'overloaded']).toContain(code)
      expectProblem(end, 503, code)
      expect(end.headers.connection).toBe('close')
    }
    const answered = ends.filter((end) => end !== 'no connection' && end.status === 200).length
    expect(provider.requests).toHaveLength(early.length + answered)
  })

  it('a connection that never says anything does not hold up the end', async () => {
    const { service } = await stage([{ text: 'It went well.' }])
    const { hostname, port } = new URL(service.url)
    const silent = connect(Number(port), hostname)
    onTestFinished(() => void silent.destroy())
    silent.on('error', () => {})
    await new Promise((resolve) => silent.once('connect', resolve))
    service.kill('SIGTERM')
    expect(await exitCodeOf(service, 5_000)).toBe(0)
  })
})
