import { isRecord } from '../is-record.ts'
import type { Entry } from '../session/entry.ts'
import type { LiveRegion } from '../session/live.ts'
import { entryWeights } from '../session/session-tokens.ts'

/** What a provider counted for the newest answer that measures something. */
export interface MeasuredUsage {
  /** Index of the answer in the path. */
  readonly index: number
  /** Context after that answer. */
  readonly contextTokens: number
  /** Context that was sent for it. */
  readonly promptTokens: number
}

const count = (value: unknown): number => (typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : 0)

function usageOf(entry: Entry | undefined): Omit<MeasuredUsage, 'index'> | null {
  const message = entry?.type === 'message' ? entry.message : undefined
  if (message?.role !== 'assistant' || message.stopReason === 'aborted' || message.stopReason === 'error') return null
  const usage = message.usage
  if (!isRecord(usage)) return null
  const prompt = count(usage['input']) + count(usage['cacheRead']) + count(usage['cacheWrite'])
  const contextTokens = count(usage['contextTokens']) || count(usage['totalTokens']) || prompt + count(usage['output'])
  // All zeros means that the provider did not count, not that the context is empty.
  return contextTokens === 0 ? null : { contextTokens, promptTokens: prompt || contextTokens }
}

/**
 * The newest measurement after the last compaction; older ones measured a context that is gone (docs/bug-log.md B055, B063).
 * Aborted and failed answers measure nothing.
 */
export function measuredUsage(live: LiveRegion): MeasuredUsage | null {
  for (let index = live.path.length - 1; index >= live.windowStart; index -= 1) {
    const usage = usageOf(live.path[index])
    if (usage !== null) return { index, ...usage }
  }
  return null
}

/** Estimate of everything live: previous summary, carried entries, window. */
export function liveTokens(live: LiveRegion): number {
  const weights = entryWeights(live.path)
  let sum = live.previous === null ? 0 : (weights[live.previousIndex] ?? 0)
  for (let index = live.carriedStart; index < live.path.length; index += 1)
    if (live.path[index]?.type !== 'compaction') sum += weights[index] ?? 0
  return sum
}

/**
 * Context in use: the last measurement and what came after it, never under the estimate of what is stored now.
 * `tokensSaved` is what pruning took out since the measurement (docs/spec/compaction.md §4).
 */
export function contextTokens(live: LiveRegion, tokensSaved = 0): number {
  const estimate = liveTokens(live)
  const measured = measuredUsage(live)
  if (measured === null) return estimate
  const after = entryWeights(live.path)
    .subarray(measured.index + 1)
    .reduce((sum, tokens) => sum + tokens, 0)
  return Math.max(measured.contextTokens + after - tokensSaved, estimate)
}
