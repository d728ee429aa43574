import { setImmediate as turn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { appOfTest } from '../../support/build-test-app.ts'
import { expectProblem } from '../../support/expect-problem.ts'
import { json, request } from '../../support/raw-http.ts'
import { waitUntil } from '../../support/wait-until.ts'

const body = { systemPrompt: 'S.', prompt: 'P.' }

describe('draining', () => {
  it('still takes work, and every answer closes its connection', async () => {
    const service = await appOfTest()
    const url = await service.listen()
    service.lifecycle.state = 'draining'
    for (const answer of [
      await request(`${url}/summarize`, json(body, { connection: 'keep-alive' })),
      await request(`${url}/livez`, { method: 'GET', headers: { connection: 'keep-alive' } }),
      await request(`${url}/nowhere`, { method: 'GET', headers: { connection: 'keep-alive' } }),
      await request(`${url}/summarize`, {
        body: '{',
        headers: { 'content-type': 'application/json', connection: 'keep-alive' },
      }),
      await request(`${url}/summarize`, json(body, { accept: 'text/event-stream', connection: 'keep-alive' })),
    ])
      expect(answer.headers['connection']).toBe('close')
  })

  it('closes also the connection of an answer that was begun before', async () => {
    const service = await appOfTest({ script: [{ text: 'Late.', delayMs: 100 }] })
    const running = request(`${await service.listen()}/summarize`, json(body, { connection: 'keep-alive' }))
    await waitUntil(() => service.provider.requests.length === 1, 'the call began')
    service.lifecycle.state = 'draining'
    expect(await running).toMatchObject({ status: 200, headers: { connection: 'close' } })
  })

  it('keeps connections while it is ready', async () => {
    const service = await appOfTest()
    const answer = await request(`${await service.listen()}/summarize`, json(body, { connection: 'keep-alive' }))
    expect(answer.headers['connection']).toBe('keep-alive')
  })
})

describe('refusing', () => {
  it('503 draining for new work, with a hint; what was accepted is answered; looking at the service goes on', async () => {
    const service = await appOfTest({ script: [{ text: 'Accepted.', delayMs: 200 }] })
    const url = await service.listen()
    const accepted = request(`${url}/summarize`, json(body))
    await waitUntil(() => service.provider.requests.length === 1, 'the call began')
    service.lifecycle.state = 'refusing'
    for (const path of ['/summarize', '/v1/chat/completions']) {
      const refused = await request(`${url}${path}`, json(body))
      expectProblem(refused, 503, 'draining')
      expect(refused).toMatchObject({ reason: 'Service Unavailable retry-after=1;', headers: { connection: 'close' } })
    }
    expect(await request(`${url}/livez`, { method: 'GET' })).toMatchObject({ status: 200 })
    expect(JSON.parse((await accepted).body)).toMatchObject({ summary: 'Accepted.' })
  })
})

describe('the count of work under way', () => {
  it('is right again after answers, refusals and faults', async () => {
    const service = await appOfTest({ config: { rateLimit: { max: 3, windowMs: 60_000 } } })
    const url = await service.listen()
    await request(`${url}/summarize`, json(body))
    await request(`${url}/summarize`, json({}))
    await request(`${url}/summarize`, { body: 'x', headers: { 'content-type': 'text/plain' } })
    expect(await request(`${url}/summarize`, json(body))).toMatchObject({ status: 429 })
    service.lifecycle.state = 'refusing'
    await request(`${url}/summarize`, json(body))
    await turn()
    expect(service.lifecycle.inflight).toBe(0)
    const gauge = await service.metrics.registry.getSingleMetric('recapd_inflight_requests')?.get()
    expect(gauge?.values[0]?.value).toBe(0)
  })

  it('counts work, not health', async () => {
    const service = await appOfTest({ script: [{ hang: true }] })
    const url = await service.listen()
    const controller = new AbortController()
    const headers = { 'content-type': 'application/json' }
    const running = fetch(`${url}/summarize`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
      signal: controller.signal,
    }).catch(() => {})
    await waitUntil(() => service.provider.requests.length === 1, 'the call began')
    await request(`${url}/readyz`, { method: 'GET' })
    expect(service.lifecycle.inflight).toBe(1)
    controller.abort()
    await running
    await waitUntil(() => service.lifecycle.inflight === 0, 'it is over')
  })
})
