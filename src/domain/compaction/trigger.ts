import { stringOf } from '../session/content.ts'
import type { Entry } from '../session/entry.ts'
import type { LiveRegion } from '../session/live.ts'
import type { AgentMessage } from '../session/message.ts'
import { contextTokens, measuredUsage } from './measured-usage.ts'
import type { CompactionSettings } from './settings.ts'

export interface TriggerVerdict {
  readonly shouldCompact: boolean
  readonly reason: 'threshold' | 'overflow' | null
  readonly blockedBy: 'disabled' | null
  readonly contextTokens: number
  readonly thresholdTokens: number
}

/** The newest answer of the live window, failed ones too; its error text is what the caller's classifier judges. */
function lastAnswer(live: LiveRegion): { readonly entry: Entry; readonly message: AgentMessage } | null {
  for (let index = live.path.length - 1; index >= live.windowStart; index -= 1) {
    const entry = live.path[index]
    const message = entry?.type === 'message' ? entry.message : undefined
    if (entry !== undefined && message?.role === 'assistant') return { entry, message }
  }
  return null
}

/** Error text of the newest answer when it failed, else null: the input of the overflow table (docs/spec/models.md §2). */
export function lastErrorText(live: LiveRegion): string | null {
  const answer = lastAnswer(live)
  return answer?.message.stopReason === 'error' ? stringOf(answer.message.errorMessage) : null
}

/**
 * The failed answer an overflow leaves at the end of the path: the agent drops it and asks again (docs/spec/compaction.md §3).
 * An answer cut by `length` had no room left and is asked again too. Null when something was said after it.
 */
export function failedAnswerId(live: LiveRegion): string | null {
  const answer = lastAnswer(live)
  if (answer === null || (answer.message.stopReason !== 'error' && answer.message.stopReason !== 'length')) return null
  const at = live.path.lastIndexOf(answer.entry)
  const later = live.path.slice(at + 1).some((entry) => entry.type === 'message' || entry.type === 'custom_message')
  return later ? null : answer.entry.id
}

/** Overflow that no error text tells of: usage above the window, or an answer cut short on an input above the threshold. */
function isSilentOverflow(live: LiveRegion, settings: CompactionSettings): boolean {
  const measured = measuredUsage(live)
  if (measured === null) return false
  if (measured.contextTokens > settings.contextWindow) return true
  const isCut = live.path[measured.index]?.message?.stopReason === 'length'
  return isCut && measured.promptTokens > settings.thresholdTokens
}

/**
 * Whether the session should be compacted now. `isErrorOverflow`: the classifier's word on the last error.
 * Strictly above the threshold; a window of 0 is unknown and triggers nothing (docs/bug-log.md B067).
 */
export function judgeTrigger(input: {
  readonly live: LiveRegion
  readonly settings: CompactionSettings
  readonly isErrorOverflow: boolean
  readonly tokensSaved?: number
}): TriggerVerdict {
  const { live, settings, isErrorOverflow, tokensSaved = 0 } = input
  const { thresholdTokens } = settings
  const used = contextTokens(live, tokensSaved)
  const isKnown = settings.contextWindow > 0
  const isOverflow = isErrorOverflow || (isKnown && isSilentOverflow(live, settings))
  const isAbove = isKnown && used > thresholdTokens
  const reason = isOverflow ? 'overflow' : isAbove ? 'threshold' : null
  const blockedBy = reason !== null && !settings.enabled ? 'disabled' : null
  const shouldCompact = reason !== null && blockedBy === null
  return { shouldCompact, reason: shouldCompact ? reason : null, blockedBy, contextTokens: used, thresholdTokens }
}
