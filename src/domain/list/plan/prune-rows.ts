import type { Call } from '../../conversation/conversation.ts'
import { withoutMedia } from '../../dialects/old-media.ts'
import { answeredCalls } from '../../dialects/pair-rows.ts'
import { pureText, type Row, rewrite, roleOf } from '../../dialects/row.ts'
import { isRecord } from '../../is-record.ts'
import { cutText } from '../../text/cut-text.ts'
import { chatMessageTokens } from '../../tokens/chat-tokens.ts'
import { demotedLine, isDemotedLine } from './demote.ts'
import { type ProtectedRows, pruneBoundary } from './prune-boundary.ts'
import { truncateArguments } from './truncate-arguments.ts'

export interface PruneOptions extends ProtectedRows {
  readonly softCeilingTokens: number
  /** Tools whose results are never demoted. */
  readonly protectedTools?: readonly string[]
  /** Fewer tokens saved than this: nothing is changed. */
  readonly minimumSavingsTokens?: number
  /** Arguments of calls stay as they are. */
  readonly resultsOnly?: boolean
}

export interface PrunedRows {
  /** As many rows as before, in the same order. */
  readonly rows: readonly Row[]
  /** Positions whose result became a line, a back reference or lost its images. */
  readonly demoted: readonly number[]
  /** Positions whose call arguments were cut. */
  readonly clipped: readonly number[]
  readonly tokensSaved: number
}

/** Stands for a result that a later, equal one makes superfluous. */
export const DUPLICATE_RESULT = '[Same output as a later tool result in this conversation]'

const DEDUPE_CHARS = 200
const DEMOTE_CHARS = 200
const VERBATIM_ROWS = 3

/**
 * The pass before any model call (docs/spec/lists.md §4): equal results once, old results as one line each, long arguments cut,
 * and the same inside the protected end when that alone is over its ceiling. What users and assistants said stays as it is.
 */
export function pruneRows(rows: readonly Row[], options: PruneOptions): PrunedRows {
  const draft = new Draft(rows, options)
  draft.dedupe()
  const boundary = pruneBoundary(draft.rows, options)
  for (let at = 0; at < boundary; at += 1) draft.shrink(at)
  // What was cut off as a tail is let be up to the weight that the cut itself reaches for (tail-cut.ts).
  const ceiling = options.softCeilingTokens * (options.protectFrom === undefined ? 1 : 2)
  relievePressure(draft, boundary, ceiling)
  const result = draft.result()
  return result.tokensSaved < (options.minimumSavingsTokens ?? 1)
    ? { rows, demoted: [], clipped: [], tokensSaved: 0 }
    : result
}

/** Shrinks inside the protected end, oldest first, newest result last, until it fits (#61932). */
function relievePressure(draft: Draft, boundary: number, ceilingTokens: number): void {
  const n = draft.rows.length
  let tokens = 0
  for (let at = boundary; at < n; at += 1) tokens += draft.tokens(at)
  const newest = draft.rows.findLastIndex((row) => roleOf(row.message) === 'tool')
  const verbatim = Math.max(boundary, n - VERBATIM_ROWS)
  const order: number[] = []
  for (let at = boundary; at < verbatim; at += 1) if (at !== newest) order.push(at)
  for (let at = verbatim; at < n; at += 1) if (at !== newest) order.push(at)
  if (newest >= boundary) order.push(newest)
  for (const at of order) {
    if (tokens <= ceilingTokens) return
    const before = draft.tokens(at)
    draft.shrink(at)
    tokens += draft.tokens(at) - before
  }
}

/** The list while it is being pruned: remembers which call every result answers, and what was done. */
class Draft {
  readonly rows: Row[]
  readonly #before: readonly Row[]
  readonly #calls: ReadonlyMap<number, Call>
  readonly #protected: ReadonlySet<string>
  readonly #resultsOnly: boolean
  readonly #demoted = new Set<number>()
  readonly #clipped = new Set<number>()

  constructor(rows: readonly Row[], { protectedTools = [], resultsOnly = false }: PruneOptions) {
    this.#before = rows
    this.rows = [...rows]
    this.#calls = answeredCalls(rows)
    this.#protected = new Set(protectedTools)
    this.#resultsOnly = resultsOnly
  }

  tokens(at: number): number {
    const row = this.rows[at]
    return row === undefined ? 0 : chatMessageTokens(row.message)
  }

  /** Of equal long results the newest stays. */
  dedupe(): void {
    const seen = new Set<string>()
    for (let at = this.rows.length - 1; at >= 0; at -= 1) {
      const content = this.rows[at]?.message.content
      if (typeof content !== 'string' || content.length < DEDUPE_CHARS || !this.#mayDemote(at)) continue
      if (seen.has(content)) this.#replace(at, DUPLICATE_RESULT)
      else seen.add(content)
    }
  }

  /** Demotes a result, or cuts the arguments of an assistant's calls. */
  shrink(at: number): void {
    const row = this.rows[at]
    if (row === undefined) return
    if (this.#mayDemote(at)) this.#demote(at, row)
    else if (roleOf(row.message) === 'assistant' && !this.#resultsOnly) this.#clip(at, row)
  }

  result(): PrunedRows {
    let tokensSaved = 0
    this.#before.forEach((row, at) => {
      tokensSaved += chatMessageTokens(row.message) - this.tokens(at)
    })
    return { rows: this.rows, demoted: [...this.#demoted], clipped: [...this.#clipped], tokensSaved }
  }

  #mayDemote(at: number): boolean {
    const row = this.rows[at]
    return (
      row !== undefined &&
      roleOf(row.message) === 'tool' &&
      row.isFixed !== true &&
      !this.#protected.has(this.#calls.get(at)?.name ?? '')
    )
  }

  #demote(at: number, row: Row): void {
    const { content } = row.message
    const shown = isRecord(content) ? content['text_summary'] : undefined
    const text = pureText(content)
    if (typeof shown === 'string') this.#replace(at, cutText(shown, DEMOTE_CHARS))
    if (text === null) {
      const parts = withoutMedia(content)
      if (parts !== null) this.#replace(at, parts)
      return
    }
    if (text.length <= DEMOTE_CHARS || isDemotedLine(text)) return
    const line = demotedLine(this.#calls.get(at) ?? null, text)
    if (line.length < text.length) this.#replace(at, line)
  }

  #clip(at: number, row: Row): void {
    const calls = row.message.tool_calls
    if (!Array.isArray(calls)) return
    let changed = false
    const shortened = calls.map((call: unknown) => {
      const inner = isRecord(call) ? call['function'] : undefined
      if (!isRecord(call) || !isRecord(inner) || typeof inner['arguments'] !== 'string') return call
      const args = truncateArguments(inner['arguments'])
      if (args === inner['arguments']) return call
      changed = true
      return { ...call, function: { ...inner, arguments: args } }
    })
    if (!changed) return
    this.rows[at] = rewrite(row, { tool_calls: shortened })
    this.#clipped.add(at)
  }

  #replace(at: number, content: unknown): void {
    const row = this.rows[at]
    if (row === undefined) return
    this.rows[at] = rewrite(row, { content })
    this.#demoted.add(at)
  }
}
