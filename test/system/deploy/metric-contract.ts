import { collectDefaultMetrics, Registry } from 'prom-client'

interface Metric {
  readonly histogram?: true
  readonly labels: readonly string[]
}

/** The names and labels of docs/spec/contract.md §7: what dashboards and alerts may rely on, and nothing else. */
export const METRIC_CONTRACT: Readonly<Record<string, Metric>> = {
  recapd_http_requests_total: { labels: ['route', 'method', 'status'] },
  recapd_http_request_duration_seconds: { histogram: true, labels: ['route', 'status_class'] },
  recapd_inflight_requests: { labels: [] },
  recapd_queue_depth: { labels: ['provider'] },
  recapd_queue_wait_seconds: { histogram: true, labels: ['provider'] },
  recapd_model_attempts_total: { labels: ['model', 'outcome'] },
  recapd_model_attempt_duration_seconds: { histogram: true, labels: ['model'] },
  recapd_model_tokens_total: { labels: ['model', 'direction'] },
  recapd_model_cost_usd_total: { labels: ['model'] },
  recapd_breaker_state: { labels: ['model'] },
  recapd_first_token_seconds: { histogram: true, labels: ['model'] },
  recapd_keys_resting: { labels: ['provider'] },
  recapd_event_loop_lag_seconds: { labels: ['quantile'] },
  recapd_build_info: { labels: ['version', 'node'] },
  recapd_fallbacks_total: { labels: ['from', 'to'] },
  recapd_retries_total: { labels: ['model', 'reason'] },
  recapd_cache_requests_total: { labels: ['result'] },
  recapd_compactions_total: { labels: ['kind', 'reason', 'result'] },
  recapd_compaction_tokens: { histogram: true, labels: ['kind', 'stage'] },
  recapd_compaction_ratio: { histogram: true, labels: [] },
  recapd_split_turns_total: { labels: [] },
  recapd_pruned_tokens_total: { labels: [] },
  recapd_degraded_total: { labels: [] },
  recapd_audit_facts_total: { labels: ['result'] },
  recapd_fold_parts: { histogram: true, labels: [] },
  recapd_queue_rejected_total: { labels: ['provider', 'reason'] },
  recapd_http_request_body_bytes: { histogram: true, labels: ['route'] },
  recapd_inflight_body_bytes: { labels: [] },
  recapd_redis_up: { labels: [] },
  recapd_key_requests_total: { labels: ['key'] },
  recapd_key_tokens_total: { labels: ['key', 'direction'] },
  recapd_key_cost_usd_total: { labels: ['key'] },
  recapd_key_saved_tokens_total: { labels: ['key'] },
  recapd_workers_ended_total: { labels: ['reason'] },
  recapd_jobs: { labels: ['state'] },
  recapd_orphaned_flights_total: { labels: ['result'] },
  recapd_hook_duration_seconds: { histogram: true, labels: ['hook'] },
  recapd_hook_failures_total: { labels: ['hook'] },
  recapd_proxy_requests_total: { labels: ['agent', 'kind'] },
  recapd_proxy_bytes_total: { labels: ['direction'] },
  recapd_proxy_saved_tokens_total: { labels: ['agent'] },
}

/** Labels that Prometheus itself puts on every series it scrapes. */
const SCRAPE_LABELS = ['job', 'instance', 'namespace', 'pod']
const KNOWN: Readonly<Record<string, Metric>> = { ...METRIC_CONTRACT, ...processMetrics(), up: { labels: [] } }

const TEXT = /"(?:[^"\\]|\\.)*"/g
const SELECTOR = /([a-zA-Z_:][\w:]*)\{([^}]*)\}/g
const MATCHER = /(\w+)\s*(?:=~|!~|!=|=)/g
const SERIES = /\b(?:recapd_|nodejs_|process_)\w+|\bup\b/g
const GROUPING = /\b(?:by|on|without|ignoring)\s*\(([^)]*)\)/g

interface ExpressionFacts {
  /** Metric names without the suffixes of a histogram. */
  readonly metrics: readonly string[]
  /** Labels a result may carry. */
  readonly labels: readonly string[]
  readonly faults: readonly string[]
}

/** What a PromQL expression reads, and each metric, label or missing job selector that the contract does not cover. */
export function expressionFacts(expression: string): ExpressionFacts {
  const bare = expression.replaceAll(TEXT, '""')
  const faults: string[] = []
  const names = [...bare.matchAll(SERIES)].map(([name]) => name)
  const metrics = names.map(baseName)
  for (const [index, name] of names.entries()) {
    const metric = KNOWN[metrics[index] ?? '']
    if (metric === undefined) faults.push(`${name} is not in docs/spec/contract.md §7`)
    else if (metric.histogram === true && name === metrics[index]) faults.push(`${name} is a histogram: use _bucket`)
  }
  const selectors = [...bare.matchAll(SELECTOR)]
  if (selectors.length < names.length) faults.push(`a series without a selector in: ${expression}`)
  for (const [, name = '', body = ''] of selectors) {
    const used = [...body.matchAll(MATCHER)].map(([, label = '']) => label)
    if (!used.includes('job')) faults.push(`${name} is read without a job`)
    for (const label of used) {
      if (!labelsOf([baseName(name)]).includes(label)) faults.push(`${name} has no label ${label}`)
    }
  }
  const labels = labelsOf(metrics)
  const grouped = [...bare.matchAll(GROUPING)].flatMap(([, list = '']) => list.split(',').map((label) => label.trim()))
  for (const label of grouped) {
    if (!labels.includes(label) && label !== 'le') faults.push(`nothing in the expression has the label ${label}`)
  }
  return { metrics: [...new Set(metrics)], labels, faults }
}

const labelsOf = (metrics: readonly string[]) => [
  ...SCRAPE_LABELS,
  ...metrics.flatMap((name) => KNOWN[name]?.labels ?? []),
]

function baseName(series: string): string {
  const base = series.replace(/_(?:bucket|sum|count)$/, '')
  return KNOWN[base]?.histogram === true ? base : series
}

/** "Node's process metrics" of the contract are those of prom-client, so they are asked of it. */
function processMetrics(): Record<string, Metric> {
  const register = new Registry()
  collectDefaultMetrics({ register })
  return Object.fromEntries(register.getMetricsAsArray().map(({ name }) => [name, { labels: [] }]))
}
