import { Counter, Gauge, Histogram, Registry } from 'prom-client'
import { isSkipped } from '../domain/attempt-row.ts'
import type { PipelineObserver } from '../hooks/pipeline-observer.ts'
import type { FinalStatus } from '../jobs/job.ts'
import type { QueueCounts } from '../jobs/job-queue.ts'
import type { ModelObserver } from '../models/observer.ts'
import { jobGauge } from './job-metrics.ts'
import { keyCounters } from './key-metrics.ts'
import { type ProcessFacts, processMetrics } from './process-metrics.ts'

const HTTP_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 30, 45, 60, 90, 120, 170, 300]
const MODEL_BUCKETS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 30, 45, 60, 90, 120, 170, 300]
const TOKEN_BUCKETS = [256, 1024, 4096, 16_384, 32_768, 65_536, 131_072, 262_144, 524_288, 1_048_576]
const BYTE_BUCKETS = [1_024, 16_384, 131_072, 524_288, 1_048_576, 4_194_304, 16_777_216, 67_108_864]

export interface Metrics extends PipelineObserver {
  readonly registry: Registry
  readonly models: ModelObserver
  request(row: { route: string; method: string; status: number; seconds: number; bodyBytes: number | undefined }): void
  inflight(change: 1 | -1): void
  threadEnded(reason: string): void
  bodyBytes(change: number): void
  /** By the names of configured keys only. */
  keyRequest(caller: string): void
  orphan(result: 'done' | 'failed'): void
  jobFinished(status: FinalStatus): void
  /** Where the current jobs are counted; asked at each scrape. */
  watchJobs(counts: () => Promise<QueueCounts>): void
  /** Where breakers, keys and the event loop are looked at; asked at each scrape. */
  watchProcess(facts: ProcessFacts): void
}

/**
 * All series under their contract names, in a registry of their own: two apps in one test do not meet. Those of the process only
 * where it is `isWatched`: the library's watch of the collector cannot be ended.
 */
export function createMetrics(isKey: (name: string) => boolean = () => false, isWatched = true): Metrics {
  const registry = new Registry()
  const now = { requests: 0, bodyBytes: 0 }
  const series = createSeries(registry, now)
  const ownProcess = isWatched ? processMetrics(registry) : { watch() {} }
  const jobs = jobGauge(registry)
  const keys = keyCounters(registry, isKey)
  return {
    registry,
    models: modelObserver(series, keys),
    request({ route, method, status, seconds, bodyBytes }) {
      series.requests.inc({ route, method, status })
      series.duration.observe({ route, status_class: `${Math.floor(status / 100)}xx` }, seconds)
      if (bodyBytes !== undefined) series.requestBody.observe({ route }, bodyBytes)
    },
    threadEnded: (reason) => series.workersEnded.inc({ reason }),
    inflight(change) {
      now.requests += change
    },
    bodyBytes(change) {
      now.bodyBytes += change
    },
    keyRequest: keys.request,
    orphan: (result) => series.orphans.inc({ result }),
    jobFinished: (status) => jobs.finished(status),
    watchJobs: jobs.watch,
    watchProcess: ownProcess.watch,
    compaction(facts) {
      series.compactions.inc({ kind: facts.kind, reason: facts.reason, result: facts.result })
      const { tokensBefore, tokensAfter } = facts
      if (tokensBefore !== undefined)
        series.compactionTokens.observe({ kind: facts.kind, stage: 'before' }, tokensBefore)
      if (tokensAfter !== undefined) series.compactionTokens.observe({ kind: facts.kind, stage: 'after' }, tokensAfter)
      if (tokensBefore !== undefined && tokensAfter !== undefined && tokensBefore > 0)
        series.ratio.observe(tokensAfter / tokensBefore)
      keys.saved(facts)
      if (facts.splitTurn === true) series.splitTurns.inc()
      if (facts.prunedTokens !== undefined) series.prunedTokens.inc(facts.prunedTokens)
    },
    audit(kept, restored) {
      series.auditFacts.inc({ result: 'kept' }, kept)
      series.auditFacts.inc({ result: 'restored' }, restored)
    },
    hook: (name, seconds) => series.hookDuration.observe({ hook: name }, seconds),
    hookFault: (name) => series.hookFailures.inc({ hook: name }),
  }
}

/** `now`: what is looked up at a scrape; counting it up and down happens with every request. */
function createSeries(registry: Registry, now: { readonly requests: number; readonly bodyBytes: number }) {
  const registers = [registry]
  const counter = <L extends string>(name: string, help: string, labelNames: readonly L[] = []) =>
    new Counter({ name: `recapd_${name}`, help, labelNames, registers })
  const gauge = <L extends string>(name: string, help: string, labelNames: readonly L[] = []) =>
    new Gauge({ name: `recapd_${name}`, help, labelNames, registers })
  const lookedUp = (name: string, help: string, value: () => number) =>
    new Gauge({
      name: `recapd_${name}`,
      help,
      registers,
      collect() {
        this.set(value())
      },
    })
  const histogram = <L extends string>(name: string, help: string, buckets: number[], labelNames: readonly L[] = []) =>
    new Histogram({ name: `recapd_${name}`, help, labelNames, buckets, registers })
  return {
    requests: counter(
      'http_requests_total',
      'Finished requests; a stream by how it ended, 499 for a client that left.',
      ['route', 'method', 'status'],
    ),
    duration: histogram(
      'http_request_duration_seconds',
      'From the request line to the last byte of the answer, by how it ended.',
      HTTP_BUCKETS,
      ['route', 'status_class'],
    ),
    requestBody: histogram('http_request_body_bytes', 'Bodies after inflating.', BYTE_BUCKETS, ['route']),
    inflight: lookedUp('inflight_requests', 'Requests being worked on.', () => now.requests),
    inflightBody: lookedUp('inflight_body_bytes', 'Bytes of request bodies held.', () => now.bodyBytes),
    queueDepth: gauge('queue_depth', 'Calls waiting for a slot of the provider.', ['provider']),
    queueWait: histogram('queue_wait_seconds', 'Time waited for a slot.', MODEL_BUCKETS, ['provider']),
    queueRejected: counter('queue_rejected_total', 'Calls the queue did not take or gave up.', ['provider', 'reason']),
    attempts: counter('model_attempts_total', 'Attempts by their outcome, skipped ones included.', [
      'model',
      'outcome',
    ]),
    attemptDuration: histogram('model_attempt_duration_seconds', 'Attempts that reached the provider.', MODEL_BUCKETS, [
      'model',
    ]),
    tokens: counter('model_tokens_total', 'Tokens as the provider counted them.', ['model', 'direction']),
    cost: counter('model_cost_usd_total', 'Dollars at the configured prices.', ['model']),
    firstToken: histogram('first_token_seconds', 'From the start of an attempt to its first text.', MODEL_BUCKETS, [
      'model',
    ]),
    fallbacks: counter('fallbacks_total', 'Candidates left for the next one.', ['from', 'to']),
    orphans: counter('orphaned_flights_total', 'Flights finished although their caller had left.', ['result']),
    retries: counter('retries_total', 'Second and later tries of one model.', ['model', 'reason']),
    cache: counter('cache_requests_total', 'hit, miss or coalesced with a call in flight.', ['result']),
    degraded: counter('degraded_total', 'Summaries made without a language model.'),
    workersEnded: counter(
      'workers_ended_total',
      'Worker threads that ended before the process: deadline, memory or exit.',
      ['reason'],
    ),
    foldParts: histogram(
      'fold_parts',
      'Parts a history over the window was cut into.',
      [2, 3, 4, 6, 8, 12, 16, 32, 64],
    ),
    redisUp: gauge('redis_up', '1 while Redis answers; 0 when it is gone or not configured.'),
    compactions: counter('compactions_total', 'Compactions and branch summaries by their result.', [
      'kind',
      'reason',
      'result',
    ]),
    compactionTokens: histogram('compaction_tokens', 'Live tokens before and after.', TOKEN_BUCKETS, ['kind', 'stage']),
    ratio: histogram(
      'compaction_ratio',
      'Tokens after / tokens before.',
      [0.01, 0.02, 0.05, 0.1, 0.2, 0.35, 0.5, 0.75, 1],
    ),
    splitTurns: counter('split_turns_total', 'Compactions whose cut fell inside a turn.'),
    prunedTokens: counter('pruned_tokens_total', 'Tokens of tool output replaced by a notice.'),
    auditFacts: counter('audit_facts_total', 'Hard facts the answer kept, and those put back.', ['result']),
    hookDuration: histogram('hook_duration_seconds', 'Time a hook took.', [0.001, 0.01, 0.1, 0.5, 1, 2.5, 5], ['hook']),
    hookFailures: counter('hook_failures_total', 'Hooks that threw, hung or answered nonsense.', ['hook']),
  }
}

function modelObserver(series: ReturnType<typeof createSeries>, keys: ReturnType<typeof keyCounters>): ModelObserver {
  series.redisUp.set(0)
  return {
    attempt({ row, usage, asker }) {
      keys.usage(usage, asker.caller)
      series.attempts.inc({ model: row.model, outcome: row.outcome })
      if (!isSkipped(row.outcome)) series.attemptDuration.observe({ model: row.model }, row.durationMs / 1000)
      if (usage.inputTokens > 0) series.tokens.inc({ model: row.model, direction: 'input' }, usage.inputTokens)
      if (usage.outputTokens > 0) series.tokens.inc({ model: row.model, direction: 'output' }, usage.outputTokens)
      if (usage.costUsd > 0) series.cost.inc({ model: row.model }, usage.costUsd)
    },
    firstToken: (model, seconds) => series.firstToken.observe({ model }, seconds),
    upstream() {},
    retry: (model, reason) => series.retries.inc({ model, reason }),
    fallback: (from, to) => series.fallbacks.inc({ from, to }),
    queueDepth: (provider, depth) => series.queueDepth.set({ provider }, depth),
    queueWait: (provider, seconds) => series.queueWait.observe({ provider }, seconds),
    queueRejected: (provider, reason) => series.queueRejected.inc({ provider, reason }),
    cache: (result) => series.cache.inc({ result }),
    foldParts: (parts) => series.foldParts.observe(parts),
    degraded: () => series.degraded.inc(),
    redisUp: (up) => series.redisUp.set(up ? 1 : 0),
  }
}
