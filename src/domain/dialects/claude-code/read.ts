import { addAll } from '../../add-all.ts'
import { isRecord } from '../../is-record.ts'
import type { Loose } from '../codec.ts'

/** What a session file of another agent holds of its conversation now. */
export interface LiveThread {
  readonly messages: readonly Loose[]
  /** Summary of what came before, where it stands in no message; null without one. */
  readonly previousSummary: string | null
  /** The last recorded prompt and answer, in tokens; 0 where nothing was recorded. */
  readonly measuredTokens: number
}

const TYPES: ReadonlySet<unknown> = new Set(['user', 'assistant', 'system', 'attachment', 'progress'])

/** A line of a Claude Code transcript: it names its session, its place in the tree, or a leaf of it. */
export function isTranscriptRow(row: Loose): boolean {
  if (row['role'] !== undefined) return false
  if (TYPES.has(row['type'])) return typeof row['uuid'] === 'string' && 'parentUuid' in row
  return typeof row['sessionId'] === 'string' || typeof row['leafUuid'] === 'string' || isRecord(row['snapshot'])
}

/**
 * The live thread of a transcript as Anthropic messages (docs/spec/reading.md §4): from the newest leaf up to the last compact
 * boundary, with the other rows of each answer and the result of every live call, which hang beside the chain.
 */
export function readTranscript(rows: readonly Loose[]): LiveThread {
  const own = rows.filter((row) => typeof row['uuid'] === 'string' && row['isSidechain'] !== true)
  const live = liveRows(own, chainOf(own))
  return { messages: messagesOf(live), previousSummary: null, measuredTokens: recordedTokens(live) }
}

/** Ids of the rows from the newest leaf up to a row without parent or to a boundary. */
function chainOf(rows: readonly Loose[]): ReadonlySet<unknown> {
  const byId = new Map(rows.map((row) => [row['uuid'], row]))
  const chain = new Set<unknown>()
  let row: Loose | undefined = rows.at(-1)
  while (row !== undefined && !chain.has(row['uuid'])) {
    chain.add(row['uuid'])
    if (row['subtype'] === 'compact_boundary') break
    row = byId.get(row['parentUuid'])
  }
  return chain
}

function liveRows(rows: readonly Loose[], chain: ReadonlySet<unknown>): readonly Loose[] {
  const onChain = rows.filter((row) => chain.has(row['uuid']))
  const answers = new Set(onChain.filter(isAnswer).map(answerId))
  const isLiveAnswer = (row: Loose): boolean => isAnswer(row) && answers.has(answerId(row))
  const calls = new Set(rows.filter(isLiveAnswer).flatMap((row) => blocksOf(row).map((block) => block['id'])))
  const answersCall = (row: Loose): boolean =>
    row['type'] === 'user' && blocksOf(row).some((block) => calls.has(block['tool_use_id']))
  return rows.filter((row) => isSpoken(row) && (chain.has(row['uuid']) || isLiveAnswer(row) || answersCall(row)))
}

const isAnswer = (row: Loose): boolean => row['type'] === 'assistant'

/** The answer a row is a piece of; a row without such an id is an answer by itself. */
function answerId(row: Loose): unknown {
  return messageIn(row)['id'] ?? row['uuid']
}

/** Rows that are sent to the model: no meta rows, no errors that the agent shows in the model's name. */
function isSpoken(row: Loose): boolean {
  const { type, isMeta, isApiErrorMessage } = row
  return (type === 'user' || type === 'assistant') && isMeta !== true && isApiErrorMessage !== true
}

function messageIn(row: Loose): Loose {
  return isRecord(row['message']) ? row['message'] : {}
}

function blocksOf(row: Loose): readonly Loose[] {
  const { content } = messageIn(row)
  return Array.isArray(content) ? content.filter(isRecord) : []
}

/** One message an answer, whose rows may be parted by its own results, and one for what the user's side says in a row. */
function messagesOf(rows: readonly Loose[]): readonly Loose[] {
  const messages: { role: string; content: unknown[] | string }[] = []
  const byAnswer = new Map<unknown, unknown[]>()
  for (const row of rows) {
    const { content } = messageIn(row)
    const open = isAnswer(row) ? byAnswer.get(answerId(row)) : undefined
    if (open !== undefined) {
      addAll(open, listOf(content))
      continue
    }
    const role = isAnswer(row) ? 'assistant' : 'user'
    const last = messages.at(-1)
    if (last?.role === role) {
      if (typeof last.content === 'string') last.content = listOf(last.content)
      addAll(last.content, listOf(content))
    } else messages.push({ role, content: typeof content === 'string' ? content : listOf(content) })
    const made = messages.at(-1)
    if (role === 'assistant' && Array.isArray(made?.content)) byAnswer.set(answerId(row), made.content)
  }
  return messages
}

function listOf(content: unknown): unknown[] {
  if (typeof content === 'string') return content === '' ? [] : [{ type: 'text', text: content }]
  return Array.isArray(content) ? [...content] : []
}

const COUNTS = ['input_tokens', 'cache_creation_input_tokens', 'cache_read_input_tokens', 'output_tokens'] as const

function recordedTokens(rows: readonly Loose[]): number {
  for (const row of rows.toReversed()) {
    const usage = isAnswer(row) ? messageIn(row)['usage'] : undefined
    if (!isRecord(usage)) continue
    const tokens = COUNTS.map((name) => usage[name]).reduce<number>(
      (sum, n) => sum + (typeof n === 'number' ? n : 0),
      0,
    )
    if (tokens > 0) return tokens
  }
  return 0
}
