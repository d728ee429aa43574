import * as z from 'zod'
import { durableSchema } from '../ledger/durable-ledger.ts'
import { parseJson } from '../parse-json.ts'

/** Why a pass made no summary, as far as the pause after it depends on it. `empty` and `other` weigh alike. */
export type FailureCause = 'timeout' | 'bad-json' | 'stream-closed' | 'no-provider' | 'empty' | 'other'

const count = z.number().int().min(0).catch(0)

const stateSchema = z.object({
  /** Compactions of this list so far. */
  compressionCount: count,
  /** Passes in a row that brought nothing; two block. */
  strikes: count,
  /** Tokens of the list at the last strike: a list that has grown since deserves another try (#14694). */
  strikeTokens: count,
  /** Summaries made without a model in a row; two block. */
  fallbackStreak: count,
  /** Milliseconds since the epoch; 0 when no pause runs. */
  cooldownUntilMs: z.number().min(0).catch(0),
  /** Timeouts in a row: the rung of the ladder. */
  timeouts: count,
  /** A pass is done and no real prompt count has been seen since. */
  awaitingUsage: z.boolean().catch(false),
  /** Rows and tokens of the list the last pass gave out. */
  lastRows: count,
  lastTokens: count,
  /** Model the strikes belong to; '' when unknown. */
  model: z.string().max(200).catch(''),
  /** What outlives any summary of this list (docs/spec/truth.md §7); null before the first one. */
  ledger: durableSchema.nullable().catch(null),
})

/** What one session's compactor remembers; the caller carries it from answer to request (docs/spec/lists.md §20). */
export type CompactionState = z.output<typeof stateSchema>

export const FRESH_STATE: CompactionState = stateSchema.parse({})

const VERSION = 'rs1'
/** The ledger's 4 KiB and the counters, in base64. */
const MAX_CHARS = 8192

/** The state as an opaque text. */
export function encodeState(state: CompactionState): string {
  const body = Buffer.from(JSON.stringify(state), 'utf8').toString('base64url')
  return `${VERSION}.${body}.${checksum(body)}`
}

/** The state a caller sent back; a damaged or foreign one is ignored, which `warning` says in one sentence. */
export function decodeState(text: string | undefined): { state: CompactionState; warning: string | null } {
  if (text === undefined || text === '') return { state: FRESH_STATE, warning: null }
  const [version, body, sum, rest] = text.slice(0, MAX_CHARS).split('.')
  if (version === VERSION && body !== undefined && rest === undefined && sum === checksum(body)) {
    const state = parseBody(body)
    if (state !== null) return { state, warning: null }
  }
  return { state: FRESH_STATE, warning: 'The state was damaged or of another version and was ignored.' }
}

/** Another model starts over: its predecessor's strikes, pause and streak say nothing about it (docs/spec/lists.md §2). */
export function stateForModel(state: CompactionState, model: string): CompactionState {
  if (state.model === model) return state
  if (state.model === '') return { ...state, model }
  return {
    ...FRESH_STATE,
    compressionCount: state.compressionCount,
    ledger: state.ledger,
    lastRows: state.lastRows,
    lastTokens: state.lastTokens,
    model,
  }
}

function parseBody(body: string): CompactionState | null {
  return stateSchema.safeParse(parseJson(Buffer.from(body, 'base64url').toString('utf8'))).data ?? null
}

/** FNV-1a: detects damage, not forgery; a forged state can only hurt its own session. */
function checksum(text: string): string {
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i += 1) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  return (hash >>> 0).toString(36)
}
