import { isRecord, partsOf, stringOf } from '../session/content.ts'
import type { Row } from '../session/entry.ts'
import type { AgentMessage } from '../session/message.ts'
import { utf8Length } from './utf8.ts'

/** Name of this estimator, returned wherever its numbers are (session-compaction §2). */
export const SESSION_ESTIMATOR = 'session-utf8/4'

/** An image weighs 1 200 tokens whatever its bytes, also as a `blob:` reference (bug-log B114). */
const IMAGE_BYTES = 1200 * 4

/** Parts weigh their text and every signature, since providers get those back too (session-compaction §12). */
const WEIGHING_FIELDS = ['text', 'textSignature', 'thinking', 'thinkingSignature', 'thoughtSignature', 'data'] as const

function callBytes(name: unknown, args: unknown): number {
  return utf8Length(stringOf(name)) + (args === undefined ? 0 : utf8Length(JSON.stringify(args)))
}

function contentBytes(content: unknown): number {
  if (typeof content === 'string') return utf8Length(content)
  let bytes = 0
  for (const part of partsOf(content)) {
    if (part.type === 'image') {
      bytes += IMAGE_BYTES
      continue
    }
    if (part.type === 'toolCall') bytes += callBytes(part['name'], part['arguments'])
    for (const field of WEIGHING_FIELDS) bytes += utf8Length(stringOf(part[field]))
  }
  return bytes
}

/** A pruned result is sent as its text alone (omp-spec §3). */
function resultBytes(message: AgentMessage): number {
  if (!message.prunedAt) return contentBytes(message.content)
  return contentBytes(partsOf(message.content).filter((part) => part.type === 'text'))
}

function fileBytes(files: unknown): number {
  if (!Array.isArray(files)) return 0
  return files.filter(isRecord).reduce((sum, file) => {
    return sum + utf8Length(stringOf(file['content'])) + (file['image'] ? IMAGE_BYTES : 0)
  }, 0)
}

function executionBytes(message: AgentMessage, source: unknown): number {
  if (message.excludeFromContext === true) return 0
  return utf8Length(stringOf(source)) + utf8Length(stringOf(message.output))
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
      return utf8Length(message.summary ?? '')
    case 'fileMention':
      return fileBytes(message.files)
    default:
      // Unknown roles are told to no model.
      return 0
  }
}

/** Counted once an object: trigger, pruning, cut, report and progress all ask for the same numbers. */
const known = new WeakMap<object, number>()

function remembered(owner: object, bytesOf: () => number): number {
  const before = known.get(owner)
  if (before !== undefined) return before
  const tokens = Math.ceil(bytesOf() / 4)
  known.set(owner, tokens)
  return tokens
}

/** Estimated tokens of one message. */
export function messageTokens(message: AgentMessage): number {
  return remembered(message, () => messageBytes(message))
}

/** Estimated tokens of what the entry puts into the context; a compaction weighs its summary, metadata nothing. */
export function entryTokens(entry: Row): number {
  switch (entry.type) {
    case 'message':
      return entry.message === undefined ? 0 : messageTokens(entry.message)
    case 'custom_message':
      return remembered(entry, () => contentBytes(entry.content))
    case 'branch_summary':
    case 'compaction':
      return remembered(entry, () => utf8Length(entry.summary ?? ''))
    default:
      return 0
  }
}

/** Sum over entries. */
export function entriesTokens(entries: readonly Row[]): number {
  return entries.reduce((sum, entry) => sum + entryTokens(entry), 0)
}

/** Sum over messages. */
export function messagesTokens(messages: readonly AgentMessage[]): number {
  return messages.reduce((sum, message) => sum + messageTokens(message), 0)
}
