import { isRecord } from '../../is-record.ts'
import type { LiveThread } from '../claude-code/read.ts'
import type { Loose } from '../codec.ts'

export const ROLLOUT_TYPES: ReadonlySet<unknown> = new Set([
  'session_meta',
  'response_item',
  'event_msg',
  'turn_context',
  'compacted',
])
/** Items the program keeps for itself. */
const UNSENT: ReadonlySet<unknown> = new Set(['ghost_snapshot', 'other'])

/** A line of a Codex rollout. */
export function isRolloutRow(row: Loose): boolean {
  return ROLLOUT_TYPES.has(row['type']) && isRecord(row['payload'])
}

/**
 * The history of a rollout as Responses items (docs/spec/reading.md §4): what the last compaction put in place of the past,
 * and the items after it.
 */
export function readRollout(rows: readonly Loose[]): LiveThread {
  const last = rows.findLastIndex((row) => row['type'] === 'compacted')
  const compacted = payloadOf(rows[last])
  const behind = rows.slice(last + 1)
  const replaced = Array.isArray(compacted['replacement_history'])
    ? compacted['replacement_history'].filter(isRecord)
    : []
  const items = behind.flatMap((row) => (row['type'] === 'response_item' ? [payloadOf(row)] : []))
  const { message } = compacted
  const isTold = typeof message === 'string' && message.trim() !== '' && !holds(replaced, message)
  return {
    messages: [...replaced, ...items].filter((item) => !UNSENT.has(item['type'])),
    previousSummary: isTold ? message : null,
    measuredTokens: recordedTokens(behind),
  }
}

function payloadOf(row: Loose | undefined): Loose {
  return isRecord(row?.['payload']) ? row['payload'] : {}
}

/** The summary stands among the items already, under a sentence of the agent's. */
function holds(items: readonly Loose[], summary: string): boolean {
  const spoken = JSON.stringify(summary).slice(1, -1)
  return items.some((item) => JSON.stringify(item['content'] ?? '').includes(spoken))
}

function recordedTokens(rows: readonly Loose[]): number {
  for (const row of rows.toReversed()) {
    const { type, info } = payloadOf(row)
    if (row['type'] !== 'event_msg' || type !== 'token_count' || !isRecord(info)) continue
    const usage = info['last_token_usage']
    const total = isRecord(usage) ? usage['total_tokens'] : undefined
    if (typeof total === 'number') return total
  }
  return 0
}
