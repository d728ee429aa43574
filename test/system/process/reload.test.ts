import { describe, expect, it, onTestFinished } from 'vitest'
import { fakeProvider, type Script, status } from '../../support/fake-provider.ts'
import { json, request } from '../../support/raw-http.ts'
import { type ServiceProcess, serviceOfTest } from '../../support/service-process.ts'
import { waitUntil } from '../../support/wait-until.ts'

const SMALL = 'What was moved?'
/** Work for a thread. */
const LARGE = 'The parser moved to its own file. '.repeat(34_000)

async function stage(script: Script) {
  const provider = await fakeProvider(script)
  onTestFinished(provider.close)
  const models = (...names: readonly string[]) => ({
    providers: {
      alpha: {
        baseUrl: provider.url,
        apiKeys: ['k'],
        models: Object.fromEntries(names.map((name) => [name, { contextWindow: 2_000_000 }])),
      },
    },
    candidates: names.map((name) => `alpha/${name}`),
    retry: { baseDelayMs: 10, maxDelayMs: 5_000 },
  })
  const service = await serviceOfTest(models('first'))
  let reloads = 0
  const reload = async (...names: readonly string[]) => {
    service.reconfigure(models(...names))
    service.kill('SIGHUP')
    reloads += 1
    await waitUntil(() => service.logs().split('the configuration was reloaded').length > reloads, 'it is reloaded')
  }
  return { provider, service, reload }
}

async function summarize({ url }: ServiceProcess, prompt: string, more: object = {}) {
  const { status: code, body } = await request(`${url}/summarize`, json({ systemPrompt: 'S.', prompt, ...more }))
  const { model, summary, detail } = JSON.parse(body)
  return { status: code, model, summary, detail }
}

describe.each([
  ['on the event loop', SMALL],
  ['in a thread', LARGE],
])('SIGHUP and work %s', (_where, prompt) => {
  it('asks the new candidates, although threads are up already, and no old one', async () => {
    const { service, reload } = await stage([{ text: 'It went well.' }])
    expect(await summarize(service, prompt)).toMatchObject({ status: 200, model: 'alpha/first' })
    await reload('second', 'third')
    const again = `${prompt} And then?`
    expect(await summarize(service, again)).toMatchObject({ status: 200, model: 'alpha/second' })
    expect(await summarize(service, again, { model: 'alpha/third' })).toMatchObject({
      status: 200,
      model: 'alpha/third',
    })
    expect(await summarize(service, again, { model: 'alpha/first' })).toMatchObject({ status: 422 })
  })

  it('ends what waits for its next try with what it began with', async () => {
    const { provider, service, reload } = await stage((_request, index) =>
      index === 0 ? status(503, { 'retry-after-ms': '1500' }) : { text: 'It went well.' },
    )
    const waiting = summarize(service, prompt)
    await waitUntil(() => provider.requests.length === 1, 'the first try failed')
    await reload('second')
    expect(provider.requests).toHaveLength(1)
    expect(await waiting).toMatchObject({ status: 200, model: 'alpha/first', summary: 'It went well.' })
  })
})
