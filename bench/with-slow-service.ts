import http from 'node:http'
import { type Asked, ask } from './ask.ts'
import { slowUpstream } from './slow-upstream.ts'
import { mockProvider, startRecapd, UNLIMITED } from './start-recapd.ts'

export interface SlowService {
  readonly pid: number
  /** Calls to the provider so far. */
  calls(): number
  /** One small request, each with a prompt of its own. */
  ask(key?: string): Promise<Asked>
}

export interface SlowServiceOptions {
  /** What each call to the provider takes. */
  readonly upstreamMs: number
  /** Of the provider, beside its address. */
  readonly provider?: object
  readonly config: object
}

/** Does the work beside a recapd of its own, whose provider takes its time; both are gone afterwards. */
export async function withSlowService(
  { upstreamMs, provider, config }: SlowServiceOptions,
  work: (service: SlowService) => Promise<void>,
): Promise<void> {
  const upstream = await slowUpstream(upstreamMs, 'They moved the parser and ran its tests.')
  const providers = mockProvider(upstream.url, { contextWindow: 128_000 }, provider)
  const service = await startRecapd({ ...UNLIMITED, providers, ...config })
  const agent = new http.Agent({ keepAlive: true })
  let number = 0
  try {
    await work({
      pid: service.pid,
      calls: upstream.calls,
      ask(key) {
        number += 1
        return ask({ agent, port: service.port, number, key })
      },
    })
  } finally {
    agent.destroy()
    await service.stop()
    upstream.close()
  }
}
