import { expect, it, onTestFinished } from 'vitest'
import { fakeProvider } from '../../support/fake-provider.ts'
import { serverOfTest } from '../../support/server-of-test.ts'
import { serviceOfTest, startServiceProcess } from '../../support/service-process.ts'

it('what was rehearsed before /readyz says yes is in no metric and no log line, and the provider was not asked', async () => {
  const provider = await fakeProvider([{ text: 'Asked.' }])
  const service = await startServiceProcess({
    log: { level: 'trace' },
    providers: { alpha: { baseUrl: provider.url, apiKeys: ['k'], models: { small: { contextWindow: 8_000 } } } },
  })
  onTestFinished(async () => {
    await service.stop()
    await provider.close()
  })
  const metrics = await (await fetch(`${service.url}/metrics`)).text()
  expect(metrics).toContain('recapd_build_info')
  expect(metrics).not.toMatch(/summarize|rehearsal/)
  expect(service.logs()).not.toMatch(/summarize|rehears/)
  expect(provider.requests).toEqual([])
})

it('what was rehearsed before /readyz says yes is in no trace', async () => {
  let batches = 0
  const collector = await serverOfTest((request, response) => {
    batches += 1
    request.resume().once('end', () => response.writeHead(200, { 'content-type': 'application/json' }).end('{}'))
  })
  const variable = `OTEL_EXPORTER_OTLP_ENDPOINT=${collector.url}`
  const service = await serviceOfTest({}, { command: (program, args) => ['env', [variable, program, ...args]] })
  // What a trace holds is sent before the process ends.
  service.kill('SIGTERM')
  expect(await service.exited).toEqual({ code: 0, signal: null })
  expect(batches).toBe(0)
})
