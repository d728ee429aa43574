import { Counter, type Registry } from 'prom-client'

/** What the proxy counts. `agent` is a name of our own table or `other`, never anything a request says. */
export interface ProxyMetrics {
  request(agent: string, kind: 'pass' | 'summary'): void
  bytes(direction: 'in' | 'out', count: number): void
  /** Tokens of history that an agent need not send again, measured as the summary's region less the summary. */
  savedTokens(agent: string, tokens: number): void
}

export function createProxyMetrics(registry: Registry): ProxyMetrics {
  const counter = <L extends string>(name: string, help: string, labelNames: readonly L[]) =>
    new Counter({ name: `recapd_proxy_${name}`, help, labelNames, registers: [registry] })
  const requests = counter('requests_total', 'Requests handed on (pass) or answered here (summary).', ['agent', 'kind'])
  const bytes = counter('bytes_total', 'Bytes of bodies that went through, to the provider and back.', ['direction'])
  const saved = counter('saved_tokens_total', 'Tokens that our summaries took out of histories.', ['agent'])
  const counted = { in: bytes.labels({ direction: 'in' }), out: bytes.labels({ direction: 'out' }) }
  return {
    request: (agent, kind) => requests.inc({ agent, kind }),
    bytes: (direction, count) => counted[direction].inc(count),
    savedTokens: (agent, tokens) => saved.inc({ agent }, tokens),
  }
}
