import { Counter, type Registry } from 'prom-client'
import type { CompactionFacts } from '../hooks/pipeline-observer.ts'
import type { Usage } from '../models/model.ts'

/** What each configured key used and saved; names that the configuration does not have never become labels. */
export function keyCounters(registry: Registry, isKey: (name: string) => boolean) {
  const counter = <L extends string>(name: string, help: string, labelNames: readonly L[]) =>
    new Counter({ name: `recapd_key_${name}`, help, labelNames, registers: [registry] })
  const requests = counter('requests_total', 'Work that was taken, by key.', ['key'])
  const tokens = counter('tokens_total', 'Tokens as providers counted them, by key.', ['key', 'direction'])
  const cost = counter('cost_usd_total', 'Dollars at the configured prices, by key.', ['key'])
  const savedTokens = counter('saved_tokens_total', 'Tokens that compactions took off contexts, by key.', ['key'])
  return {
    request(key: string) {
      if (isKey(key)) requests.inc({ key })
    },
    usage({ inputTokens, outputTokens, costUsd }: Usage, key: string | undefined) {
      if (key === undefined || !isKey(key)) return
      if (inputTokens > 0) tokens.inc({ key, direction: 'input' }, inputTokens)
      if (outputTokens > 0) tokens.inc({ key, direction: 'output' }, outputTokens)
      if (costUsd > 0) cost.inc({ key }, costUsd)
    },
    saved({ caller: key, tokensBefore = 0, tokensAfter = 0 }: CompactionFacts) {
      if (key !== undefined && isKey(key) && tokensBefore > tokensAfter)
        savedTokens.inc({ key }, tokensBefore - tokensAfter)
    },
  }
}
