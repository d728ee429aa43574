import { isRecord } from '../is-record.ts'
import { stringOf } from './content.ts'
import type { Entry } from './entry.ts'
import { makesMessage } from './entry.ts'
import { type LiveRegion, liveEntries, liveRegion } from './live.ts'
import type { AgentMessage } from './message.ts'
import { isSystem, systemMessageOf } from './system-prompt.ts'

/** What the agent sends next, rebuilt from its tree (docs/spec/sessions.md §2). */
export interface SessionContext {
  readonly messages: readonly AgentMessage[]
  /** `provider/model` of the last answer or model change, null when the path has neither. */
  readonly model: string | null
  readonly thinkingLevel: string
}

/** Milliseconds of an entry's ISO timestamp, which messages made from entries carry. */
function timeOf(entry: Entry): number {
  const time = Date.parse(stringOf(entry.timestamp))
  return Number.isNaN(time) ? 0 : time
}

/** Fields of an entry that are not part of its message: its place in the tree, and the bookkeeping of a summary. */
const BOOKKEEPING: ReadonlySet<string> = new Set([
  'type',
  'id',
  'parentId',
  'timestamp',
  'firstKeptEntryId',
  'preserveData',
  'fromExtension',
  'fromHook',
])

/** Fields of an entry that its message carries on, those of later agent versions included (docs/spec/contract.md §0). */
function messageFields(entry: Entry): Record<string, unknown> {
  const summarizes = entry.type !== 'custom_message'
  return Object.fromEntries(
    Object.entries(entry).filter(([name]) => !BOOKKEEPING.has(name) && !(summarizes && name === 'details')),
  )
}

/** The message an entry puts into the context, or null. A compaction becomes one by `summaryMessage` instead. */
export function entryMessage(entry: Entry): AgentMessage | null {
  if (!makesMessage(entry)) return null
  if (entry.type === 'message') return entry.message ?? null
  const role = entry.type === 'branch_summary' ? 'branchSummary' : 'custom'
  return { ...messageFields(entry), role, timestamp: timeOf(entry) }
}

/** The summary of a compaction entry as the message that stands for everything before it. */
export function summaryMessage(entry: Entry): AgentMessage {
  return { ...messageFields(entry), role: 'compactionSummary', timestamp: timeOf(entry) }
}

export function messagesOf(entries: readonly Entry[]): readonly AgentMessage[] {
  return entries.map(entryMessage).filter((message) => message !== null)
}

/** Messages of a live region: the last summary, what it kept, the rest. */
function liveMessages(live: LiveRegion): readonly AgentMessage[] {
  const messages = messagesOf(liveEntries(live))
  return live.previous === null ? messages : [summaryMessage(live.previous), ...messages]
}

function modelOf(entry: Entry): string | null {
  if (entry.type === 'model_change') {
    if (entry.role !== undefined && entry.role !== null && entry.role !== 'default') return null
    if (typeof entry.model === 'string') return entry.model
    return joined(entry.provider, entry.modelId)
  }
  const message = entry.message
  return entry.type === 'message' && message?.role === 'assistant' ? joined(message.provider, message.model) : null
}

function joined(provider: unknown, model: unknown): string | null {
  if (typeof model !== 'string' || model === '') return null
  return typeof provider === 'string' && provider !== '' ? `${provider}/${model}` : model
}

function lastOf<T>(path: readonly Entry[], read: (entry: Entry) => T | null): T | null {
  for (let index = path.length - 1; index >= 0; index -= 1) {
    const entry = path[index]
    const value = entry === undefined ? null : read(entry)
    if (value !== null) return value
  }
  return null
}

/**
 * Context of a path. Model and thinking level are those of the whole path, as the agents keep them over a compaction.
 * `dropEntryId`: a failed answer that an overflow takes out of the context (docs/spec/compaction.md §3).
 */
export function buildContext(
  path: readonly Entry[],
  options: { readonly dropEntryId?: string | null } = {},
): SessionContext {
  const { dropEntryId = null } = options
  const kept = dropEntryId === null ? path : path.filter((entry) => entry.id !== dropEntryId)
  const thinkingLevel = lastOf(path, (entry) =>
    entry.type === 'thinking_level_change' ? stringOf(entry.thinkingLevel) || 'off' : null,
  )
  return {
    messages: withSystem(liveMessages(liveRegion(kept)), systemMessageOf(kept)),
    model: lastOf(path, modelOf),
    thinkingLevel: thinkingLevel ?? 'off',
  }
}

/** The newest system prompt of a path stands first, whatever was compacted since. */
function withSystem(messages: readonly AgentMessage[], system: AgentMessage | null): readonly AgentMessage[] {
  return system === null ? messages : [system, ...messages.filter((message) => !isSystem(message))]
}

/** Preserved data to carry on, without the replay of a provider-native compaction, which a text summary makes stale (docs/spec/sessions.md §11). */
export function withoutNativeReplay(preserveData: unknown): Readonly<Record<string, unknown>> | undefined {
  if (!isRecord(preserveData)) return undefined
  const { openaiRemoteCompaction: _stale, ...rest } = preserveData
  return rest
}
