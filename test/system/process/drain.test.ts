import http from 'node:http'
import { expect, it, onTestFinished } from 'vitest'
import { expectProblem } from '../../support/expect-problem.ts'
import { type FakeProvider, fakeProvider, type Script } from '../../support/fake-provider.ts'
import { json, open, request } from '../../support/raw-http.ts'
import { type ServiceProcess, serviceOfTest } from '../../support/service-process.ts'
import { waitUntil } from '../../support/wait-until.ts'

async function stage(script: Script, server: object): Promise<{ provider: FakeProvider; service: ServiceProcess }> {
  const provider = await fakeProvider(script)
  onTestFinished(provider.close)
  const service = await serviceOfTest({
    server: { port: 0, ...server },
    providers: { alpha: { baseUrl: provider.url, apiKeys: ['k'], models: { small: { contextWindow: 32_000 } } } },
    candidates: ['alpha/small'],
  })
  return { provider, service }
}

const summarize = ({ url }: ServiceProcess, prompt = 'P.') =>
  request(`${url}/summarize`, json({ systemPrompt: 'S.', prompt }))

it('SIGTERM: exit 0 soon, although connections are idle, half a request has come and a worker is up', async () => {
  const { service } = await stage([{ text: 'Fine.' }], { drainDelayMs: 0, bodyLimitBytes: 5_000_000 })
  const agent = new http.Agent({ keepAlive: true })
  onTestFinished(() => agent.destroy())
  await new Promise((resolve) =>
    http.get(`${service.url}/livez`, { agent }, (answer) => answer.resume().on('end', resolve)),
  )
  const half = await open(service.url)
  half.socket.write('GET /livez HTTP/1.1\r\nhost: x\r\n')
  const large = json({ systemPrompt: 'S.', prompt: 'x'.repeat(1_200_000) })
  expect(await request(`${service.url}/summarize`, large)).toMatchObject({ status: 422 })
  service.kill('SIGTERM')
  expect(await service.exited).toMatchObject({ code: 0 })
  expect(service.logs()).toMatch(/"msg":"drained"/)
})

it('SIGTERM with work under way: it is answered, new work is refused, exit 0', async () => {
  const { provider, service } = await stage([{ text: 'Finished all the same.', delayMs: 1_500 }], { drainDelayMs: 0 })
  const running = summarize(service)
  await waitUntil(() => provider.requests.length === 1, 'the call began')
  service.kill('SIGTERM')
  await waitUntil(() => service.logs().includes('SIGTERM: draining'), 'it drains')
  expectProblem(await summarize(service, 'New.'), 503, 'draining')
  expect(await request(`${service.url}/readyz`, { method: 'GET' })).toMatchObject({ status: 503 })
  expect(JSON.parse((await running).body)).toMatchObject({ summary: 'Finished all the same.' })
  expect(await service.exited).toMatchObject({ code: 0 })
})

it('during drainDelayMs work is still taken, while readyz is 503', async () => {
  const { service } = await stage([{ text: 'Still here.' }], { drainDelayMs: 600 })
  service.kill('SIGTERM')
  await waitUntil(async () => (await request(`${service.url}/readyz`, { method: 'GET' })).status === 503, 'not ready')
  expect(await summarize(service)).toMatchObject({ status: 200, headers: { connection: 'close' } })
  expect(await service.exited).toMatchObject({ code: 0 })
})

it('work that outlasts drainMs is cut: exit 1, and the log says so', async () => {
  const { provider, service } = await stage([{ hang: true }], { drainDelayMs: 0, drainMs: 100 })
  const running = summarize(service).catch((reason: unknown) => reason)
  await waitUntil(() => provider.requests.length === 1, 'the call began')
  service.kill('SIGTERM')
  expect(await service.exited).toMatchObject({ code: 1 })
  expect(await running).toBeInstanceOf(Error)
  expect(service.logs()).toMatch(/"cut":1/)
})

it('a second signal ends it at once: exit 1', async () => {
  const { service } = await stage([{ hang: true }], { drainDelayMs: 600_000 })
  service.kill('SIGTERM')
  await waitUntil(() => service.logs().includes('SIGTERM: draining'), 'it drains')
  service.kill('SIGINT')
  expect(await service.exited).toMatchObject({ code: 1 })
})

const begin = async ({ url }: ServiceProcess) => {
  const { headers = {}, ...init } = json({ systemPrompt: 'S.', prompt: 'P.' })
  const accepted = await request(`${url}/summarize`, { ...init, headers: { ...headers, prefer: 'respond-async' } })
  return `${url}${accepted.headers['location']}`
}

it('SIGTERM with a job under way: whoever reads its events hears its end, exit 0', async () => {
  const { provider, service } = await stage([{ text: 'Finished all the same.', delayMs: 1_500 }], { drainDelayMs: 0 })
  const job = await begin(service)
  const events = request(`${job}/events`, { method: 'GET' })
  await waitUntil(() => provider.requests.length === 1, 'the call began')
  service.kill('SIGTERM')
  expect((await events).body).toMatch(/event: done\ndata: .*Finished all the same/)
  expect(await service.exited).toMatchObject({ code: 0 })
})

it('SIGTERM with a job under way: whoever asks for it now and then still finds its result', async () => {
  const { provider, service } = await stage([{ text: 'Finished all the same.', delayMs: 700 }], { drainDelayMs: 0 })
  const job = await begin(service)
  await waitUntil(() => provider.requests.length === 1, 'the call began')
  service.kill('SIGTERM')
  const look = async () => JSON.parse((await request(job, { method: 'GET' })).body)
  await waitUntil(async () => (await look()).job.status === 'done', 'the job is over')
  expect((await look()).result).toMatchObject({ summary: 'Finished all the same.' })
  expect(await service.exited).toMatchObject({ code: 0 })
})

it('a job that outlasts drainMs is cut: exit 1, and the log says so', async () => {
  const { provider, service } = await stage([{ hang: true }], { drainDelayMs: 0, drainMs: 100 })
  await begin(service)
  await waitUntil(() => provider.requests.length === 1, 'the call began')
  service.kill('SIGTERM')
  expect(await service.exited).toMatchObject({ code: 1 })
  expect(service.logs()).toMatch(/"cut":1/)
})
