import { collectDefaultMetrics, Gauge, type Registry } from 'prom-client'

/** What is looked up when somebody scrapes, not when it changes. */
export interface ProcessFacts {
  readonly version: string
  breakers(): readonly { readonly id: string; readonly breaker: 'closed' | 'half-open' | 'open' }[]
  /** Keys that rest now, by provider. */
  restingKeys(): readonly { readonly provider: string; readonly count: number }[]
  /** Seconds by which the event loop was late, over the last seconds. */
  eventLoopLag(): { readonly p50: number; readonly p99: number; readonly max: number }
}

const BREAKER = { closed: 0, 'half-open': 1, open: 2 } as const
/** prom-client's own figures of the loop count the time between two looks as a delay. Ours are of the lag alone. */
const DISHONEST = /^nodejs_eventloop_lag/
/** Its watch of the loop wakes the process each time; an interval this long never comes. */
const NEVER_MS = 2 ** 31 - 1

/** The process's own series: Node's, and, once `watch` knows where to look, those of models, keys and the event loop. */
export function processMetrics(registry: Registry): { watch(facts: ProcessFacts): void } {
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: NEVER_MS })
  for (const { name } of registry.getMetricsAsArray()) if (DISHONEST.test(name)) registry.removeSingleMetric(name)
  let facts: ProcessFacts | undefined
  const gauge = <L extends string>(
    name: string,
    help: string,
    label: L,
    rows: (facts: ProcessFacts) => readonly (readonly [string, number])[],
  ) =>
    new Gauge({
      name: `recapd_${name}`,
      help,
      labelNames: [label],
      registers: [registry],
      collect() {
        for (const [value, number] of facts === undefined ? [] : rows(facts)) this.labels(value).set(number)
      },
    })
  gauge('breaker_state', '0 closed, 1 half-open, 2 open.', 'model', ({ breakers }) =>
    breakers().map(({ id, breaker }) => [id, BREAKER[breaker]]),
  )
  gauge('keys_resting', 'Keys that are not used for a while: refused, used up, or told to wait.', 'provider', (now) =>
    now.restingKeys().map(({ provider, count }) => [provider, count]),
  )
  gauge(
    'event_loop_lag_seconds',
    'How late the event loop was, over the last ten seconds at most.',
    'quantile',
    (now) => {
      const { p50, p99, max } = now.eventLoopLag()
      return [
        ['0.5', p50],
        ['0.99', p99],
        ['1', max],
      ]
    },
  )
  new Gauge({
    name: 'recapd_build_info',
    help: 'Always 1; the labels say what runs.',
    labelNames: ['version', 'node'],
    registers: [registry],
    collect() {
      if (facts !== undefined) this.set({ version: facts.version, node: process.version }, 1)
    },
  })
  return {
    watch(now) {
      facts = now
    },
  }
}
