import { isRecord } from '../is-record.ts'
import { jsonBytes } from '../tokens/json-bytes.ts'
import { utf8Length } from '../tokens/utf8.ts'
import { partsOf } from './content.ts'
import type { EntryRow } from './entry.ts'
import type { AgentMessage } from './message.ts'

/** Name of this estimator, returned wherever its numbers are (docs/spec/compaction.md §2). */
export const SESSION_ESTIMATOR = 'session-utf8/4'

/** An image weighs 1 200 tokens whatever its bytes, also as a `blob:` reference (docs/bug-log.md B114). */
const IMAGE_BYTES = 1200 * 4

const bytesOf = (value: unknown): number => (typeof value === 'string' && value !== '' ? utf8Length(value) : 0)

/** Parts weigh their text and every signature, since providers get those back too (docs/spec/compaction.md §12). */
function partBytes(part: unknown): number {
  if (!isRecord(part)) return 0
  switch (part['type']) {
    case 'text':
      return bytesOf(part['text']) + bytesOf(part['textSignature'])
    case 'thinking':
      return bytesOf(part['thinking']) + bytesOf(part['thinkingSignature'])
    case 'redactedThinking':
      return bytesOf(part['data'])
    case 'image':
      return IMAGE_BYTES
    case 'toolCall': {
      const { arguments: args } = part
      const json = args === undefined ? 0 : jsonBytes(args)
      return bytesOf(part['name']) + bytesOf(part['thoughtSignature']) + json
    }
    default:
      return 0
  }
}

function contentBytes(content: unknown): number {
  if (!Array.isArray(content)) return bytesOf(content)
  let bytes = 0
  for (const part of content) bytes += partBytes(part)
  return bytes
}

/** A pruned result is sent as its text alone (docs/spec/sessions.md §3). */
function resultBytes(message: AgentMessage): number {
  if (!message.prunedAt) return contentBytes(message.content)
  return contentBytes(partsOf(message.content).filter((part) => part.type === 'text'))
}

function fileBytes(files: unknown): number {
  if (!Array.isArray(files)) return 0
  return files.filter(isRecord).reduce((sum, file) => {
    return sum + bytesOf(file['content']) + (file['image'] ? IMAGE_BYTES : 0)
  }, 0)
}

function executionBytes(message: AgentMessage, source: unknown): number {
  if (message.excludeFromContext === true) return 0
  return bytesOf(source) + bytesOf(message.output)
}

function messageBytes(message: AgentMessage): number {
  switch (message.role) {
    case 'user':
    case 'developer':
    case 'assistant':
    case 'custom':
    case 'hookMessage':
      return contentBytes(message.content)
    case 'toolResult':
      return resultBytes(message)
    case 'bashExecution':
      return executionBytes(message, message.command)
    case 'pythonExecution':
      return executionBytes(message, message.code)
    case 'branchSummary':
    case 'compactionSummary':
      return bytesOf(message.summary)
    case 'fileMention':
      return fileBytes(message.files)
    default:
      // Unknown roles are sent to no model.
      return 0
  }
}

const tokensOf = (bytes: number): number => Math.ceil(bytes / 4)

/** Estimated tokens of one message. */
export function messageTokens(message: AgentMessage): number {
  return tokensOf(messageBytes(message))
}

/** Estimated tokens of what the entry puts into the context; a compaction weighs its summary, metadata nothing. */
export function entryTokens(entry: EntryRow): number {
  switch (entry.type) {
    case 'message':
      return entry.message === undefined ? 0 : messageTokens(entry.message)
    case 'custom_message':
      return tokensOf(contentBytes(entry.content))
    case 'branch_summary':
    case 'compaction':
      return tokensOf(bytesOf(entry.summary))
    default:
      return 0
  }
}

/** Sum over entries. */
export function entriesTokens(entries: readonly EntryRow[]): number {
  return entries.reduce((sum, entry) => sum + entryTokens(entry), 0)
}

const weighed = new WeakMap<readonly EntryRow[], Float64Array>()

/**
 * Tokens of every entry of a path, by index. Counted once a path: trigger, cut, report and progress all ask for the same
 * numbers, and to remember them by each entry took longer than to count them.
 */
export function entryWeights(path: readonly EntryRow[]): Float64Array {
  const before = weighed.get(path)
  if (before !== undefined) return before
  const tokens = Float64Array.from(path, entryTokens)
  weighed.set(path, tokens)
  return tokens
}

/** Weighs a path that was made from another one of the same length: entries that stayed are not counted again. */
export function weighLike(path: readonly EntryRow[], before: readonly EntryRow[]): void {
  const known = entryWeights(before)
  weighed.set(
    path,
    Float64Array.from(path, (entry, at) => (entry === before[at] ? (known[at] ?? 0) : entryTokens(entry))),
  )
}
