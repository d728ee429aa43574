import { expect, it, onTestFinished } from 'vitest'
import { fakeProvider } from '../../support/fake-provider.ts'
import { startServiceProcess } from '../../support/service-process.ts'

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
