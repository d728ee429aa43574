import { NO_USAGE, sumUsage, type Usage } from '../models/model.ts'
import type { Asker, AttemptReport, ModelObserver } from '../models/observer.ts'

/** What the models did for one request: for its log line (docs/spec/production.md §5). */
export interface RequestFigures {
  readonly attempts: number
  readonly usage: Usage
  readonly cache: 'hit' | 'miss' | 'coalesced' | undefined
  /** While at least one of its calls waited for a slot. */
  readonly queueWaitMs: number
  /** While at least one of its calls was with a provider. */
  readonly upstreamMs: number
}

/** Figures by request id, kept as long as the request lasts. */
export interface FiguresLedger {
  open(requestId: string): void
  close(requestId: string): RequestFigures
  /** The same observer, which also enters what it sees for requests that are open. */
  observing(observer: ModelObserver): ModelObserver
}

interface Entry {
  /** Requests under this id: callers choose ids, and may choose one twice. */
  open: number
  attempts: number
  usage: Usage
  cache: RequestFigures['cache']
  readonly waits: Interval[]
  readonly calls: Interval[]
}

type Interval = readonly [fromMs: number, toMs: number]

/** A request for which something was made counts as a miss, whatever else was found. */
const STRONGEST = ['hit', 'coalesced', 'miss'] as const

export function createFiguresLedger(nowMs: () => number = () => performance.now()): FiguresLedger {
  const entries = new Map<string, Entry>()
  const entryOf = ({ requestId = '' }: Asker) => entries.get(requestId)
  const until = (seconds: number): Interval => [nowMs() - seconds * 1000, nowMs()]

  return {
    open(requestId) {
      const entry = entries.get(requestId)
      if (entry !== undefined) entry.open += 1
      else entries.set(requestId, { open: 1, attempts: 0, usage: NO_USAGE, cache: undefined, waits: [], calls: [] })
    },
    close(requestId) {
      const { attempts = 0, usage = NO_USAGE, cache, waits = [], calls = [], open = 0 } = entries.get(requestId) ?? {}
      const entry = entries.get(requestId)
      if (open <= 1) entries.delete(requestId)
      else if (entry !== undefined) entry.open -= 1
      return { attempts, usage, cache, queueWaitMs: lengthMs(waits), upstreamMs: lengthMs(calls) }
    },
    observing: (observer) => ({
      ...observer,
      attempt(report: AttemptReport) {
        observer.attempt(report)
        const entry = entryOf(report.asker)
        if (entry === undefined) return
        entry.attempts += 1
        entry.usage = sumUsage([entry.usage, report.usage])
      },
      queueWait(provider, seconds, asker) {
        observer.queueWait(provider, seconds, asker)
        entryOf(asker)?.waits.push(until(seconds))
      },
      upstream(seconds, asker) {
        observer.upstream(seconds, asker)
        entryOf(asker)?.calls.push(until(seconds))
      },
      cache(result, asker) {
        observer.cache(result, asker)
        const entry = entryOf(asker)
        if (entry === undefined) return
        const known = entry.cache === undefined ? -1 : STRONGEST.indexOf(entry.cache)
        if (STRONGEST.indexOf(result) > known) entry.cache = result
      },
    }),
  }
}

/** Of all intervals together; what runs side by side counts once. */
function lengthMs(intervals: readonly Interval[]): number {
  let total = 0
  let covered = Number.NEGATIVE_INFINITY
  for (const [from, to] of intervals.toSorted(([one], [other]) => one - other)) {
    if (to <= covered) continue
    total += to - Math.max(from, covered)
    covered = to
  }
  return Math.round(total * 10) / 10
}
