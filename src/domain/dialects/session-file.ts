import { RecapdError } from '../errors.ts'
import { isRecord } from '../is-record.ts'
import { isTranscriptRow, type LiveThread, readTranscript } from './claude-code/read.ts'
import type { Dialect, Loose } from './codec.ts'
import { isRolloutRow, readRollout } from './codex/read.ts'
import { detectDialect } from './detect-dialect.ts'

/** Whose file it is; `messages`: one message a line. */
export const SESSION_SOURCES = ['pi', 'claude-code', 'codex', 'messages'] as const
export type SessionSource = (typeof SESSION_SOURCES)[number]

/** A session file, recognised by what it holds (docs/spec/reading.md §4). */
export type SessionFile =
  | { readonly source: 'pi'; readonly entries: readonly Loose[] }
  | (LiveThread & { readonly source: Exclude<SessionSource, 'pi'>; readonly format: Dialect | undefined })

/** Entries of pi and omp that need no id of their own in old files. */
const PI_TYPES: ReadonlySet<unknown> = new Set([
  'session',
  'title',
  'compaction',
  'branch_summary',
  'custom_message',
  'reset_boundary',
  'model_change',
  'thinking_level_change',
])
const PI_SPOKEN: ReadonlySet<unknown> = new Set(['message', 'compaction', 'branch_summary', 'custom_message'])

/** Reads the rows of a file. Throws `no-entries`, which names what was found, where no message of it is live. */
export function readSessionFile(rows: readonly Loose[]): SessionFile {
  const source = rows.map(sourceOf).find((each) => each !== null)
  if (source === 'claude-code')
    return thread({ source, format: 'anthropic' }, readTranscript(rows.filter(isTranscriptRow)), rows)
  if (source === 'codex') return thread({ source, format: 'responses' }, readRollout(rows.filter(isRolloutRow)), rows)
  if (source === 'pi') {
    if (!rows.some((row) => PI_SPOKEN.has(row['type']))) throw noMessage('A pi or omp session without a message', rows)
    return { source, entries: rows }
  }
  const isList = rows.some((row) => 'dialect' in detectDialect([row]))
  if (!isList) throw noMessage('No session file and no list of messages', rows)
  return { source: 'messages', messages: rows, format: undefined, previousSummary: null, measuredTokens: 0 }
}

const NAMES = { 'claude-code': 'A Claude Code transcript', codex: 'A Codex rollout' } as const

function thread(
  { source, format }: { readonly source: keyof typeof NAMES; readonly format: Dialect },
  read: LiveThread,
  rows: readonly Loose[],
): SessionFile {
  if (read.messages.length === 0 && read.previousSummary === null)
    throw noMessage(`${NAMES[source]} without a live message`, rows)
  return { source, ...read, format }
}

function sourceOf(row: Loose): SessionSource | null {
  if (isRolloutRow(row)) return 'codex'
  if (isTranscriptRow(row)) return 'claude-code'
  return isPiRow(row) ? 'pi' : null
}

function isPiRow(row: Loose): boolean {
  const { type } = row
  if (typeof type !== 'string' || row['role'] !== undefined) return false
  if (type === 'message') return isRecord(row['message'])
  if (type === 'compaction') return typeof row['summary'] === 'string'
  return 'parentId' in row || (PI_TYPES.has(type) && row['data'] === undefined)
}

const SHOWN_TYPES = 5
const NAME = /^[A-Za-z][\w.:-]{0,39}$/

/** Types are names of programs; what else stands in a row is nobody's to repeat. */
function noMessage(what: string, rows: readonly Loose[]): RecapdError {
  const types = [...new Set(rows.map((row) => row['type'] ?? row['role']))]
  const names = types
    .filter((type): type is string => typeof type === 'string' && NAME.test(type))
    .slice(0, SHOWN_TYPES)
  const found =
    rows.length === 0
      ? 'not one JSON object was found'
      : names.length === 0
        ? `found were ${rows.length} objects without a type`
        : `found were rows of type ${names.join(', ')}`
  return new RecapdError(
    'no-entries',
    `${what}: ${found}. Send a pi, omp, Claude Code or Codex session file, or one message a line.`,
  )
}
