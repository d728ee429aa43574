import { addAll } from '../add-all.ts'
import { isRecord } from '../is-record.ts'
import { pairRows } from './pair-rows.ts'
import { dropLonelyRan, ranPairsHold } from './ran-pairs.ts'
import type { Repair, RepairedRows } from './repair.ts'
import { callsOf, isBlank, type Row, rewrite, roleOf } from './row.ts'

/** Stands for an answer whose only content was calls that are gone. */
export const EMPTY_ANSWER = '[tool call without result removed]'

/**
 * Makes calls and results whole (docs/spec/lists.md §15): results stand directly after their call, in the order they came; the
 * first result of a call counts; what has no partner goes. Ids may be used again by a later call, as local servers do.
 */
export function sanitizePairs(given: readonly Row[]): RepairedRows {
  const ran = dropLonelyRan(given)
  const { rows } = ran
  const match = matchResults(rows)
  if (match.repaired.length === 0) return ran
  const out: Row[] = []
  rows.forEach((row, position) => {
    if (roleOf(row.message) === 'tool' || isLegacyOrphan(rows, position)) return
    const answered = match.answered.get(position)
    out.push(stripCalls(row, answered))
    for (const result of match.results.get(position) ?? []) {
      const found = rows[result]
      if (found !== undefined) out.push(found)
    }
  })
  return { rows: out, repaired: [...ran.repaired, ...match.repaired].toSorted((a, b) => a.index - b.index) }
}

interface Match {
  /** Positions in `tool_calls` that have a result, by position of their row. */
  readonly answered: Map<number, Set<number>>
  /** Result rows by position of their caller. */
  readonly results: Map<number, number[]>
  readonly repaired: Repair[]
}

function matchResults(rows: readonly Row[]): Match {
  const match: Match = { answered: new Map(), results: new Map(), repaired: [] }
  const { events, callOf, resultOf } = pairRows(rows)
  const asked = new Set<string>()
  const lost: Repair[] = []
  // The newest row that is not a result: a result of its calls stands where it should.
  let nearest = -1
  let next = 0
  rows.forEach((row, position) => {
    if (isLegacyOrphan(rows, position)) match.repaired.push({ index: row.index, what: 'orphan-result-removed' })
    if (roleOf(row.message) !== 'tool' && (row.isBound !== true || roleOf(row.message) !== '')) nearest = position
    for (let event = events[next]; event?.row === position; event = events[next]) {
      const { call, id } = event
      const caller = events[callOf[next] ?? -1]
      if (call !== null) {
        asked.add(id)
        if ((resultOf[next] ?? -1) < 0) lost.push({ index: row.index, what: 'call-without-result-removed' })
        else match.answered.set(position, (match.answered.get(position) ?? new Set()).add(call.at))
      } else if (caller === undefined) {
        match.repaired.push({
          index: row.index,
          what: asked.has(id) ? 'duplicate-result-removed' : 'orphan-result-removed',
        })
      } else {
        if (caller.row !== nearest) match.repaired.push({ index: row.index, what: 'result-moved-behind-its-call' })
        const results = match.results.get(caller.row)
        if (results === undefined) match.results.set(caller.row, [position])
        else results.push(position)
      }
      next += 1
    }
  })
  addAll(match.repaired, lost)
  return match
}

/** A result of the old `function` role has no id: it belongs to the `function_call` right before it or to nothing. */
function isLegacyOrphan(rows: readonly Row[], position: number): boolean {
  const row = rows[position]
  if (row === undefined || roleOf(row.message) !== 'function') return false
  return !isRecord(rows[position - 1]?.message['function_call'])
}

/** The row with only its answered calls; ids go back untouched, an empty `tool_calls` goes as a whole. */
function stripCalls(row: Row, answered: ReadonlySet<number> | undefined): Row {
  const calls: readonly unknown[] = Array.isArray(row.message.tool_calls) ? row.message.tool_calls : []
  const kept = calls.filter((call, at) => !isRecord(call) || answered?.has(at) === true)
  if (kept.length === calls.length) return row
  const lost = callsOf(row.message).filter((call) => answered?.has(call.at) !== true)
  if (kept.some(isRecord)) return { ...rewrite(row, { tool_calls: kept }), lost }
  const { tool_calls: _, ...rest } = rewrite(row, {}).message
  return { ...row, lost, message: isBlank(rest['content']) ? { ...rest, content: emptyAnswer(rest['content']) } : rest }
}

/** The note is added to what else the answer holds: thinking must be followed by something. */
function emptyAnswer(content: unknown): unknown {
  const isEmpty = !Array.isArray(content) || content.length === 0
  return isEmpty ? EMPTY_ANSWER : [...content, { type: 'text', text: EMPTY_ANSWER }]
}

/** True when every call has its result directly after it and every result its call. */
export function pairsHold(rows: readonly Row[]): boolean {
  return matchResults(rows).repaired.length === 0 && ranPairsHold(rows)
}

/** Answers with nothing in them, or only thinking: providers reject empty text (docs/bug-log.md B126). */
export function dropEmptyAnswers(rows: readonly Row[]): RepairedRows {
  const empty = rows.filter(isEmptyAnswer)
  if (empty.length === 0) return { rows, repaired: [] }
  return {
    rows: rows.filter((row) => !isEmptyAnswer(row)),
    repaired: empty.map((row) => ({ index: row.index, what: 'empty-answer-removed' })),
  }
}

// Fields that are an answer by themselves, without any text. Thoughts are not, whatever field they stand in.
const PAYLOAD_FIELDS = ['tool_calls', 'function_call', 'refusal', 'audio', 'codex_message_items'] as const

function isEmptyAnswer(row: Row): boolean {
  const { message } = row
  if (roleOf(message) !== 'assistant' || !isBlank(message.content) || row.carried === true) return false
  return PAYLOAD_FIELDS.every((field) => {
    const value: unknown = message[field]
    return !value || (Array.isArray(value) && value.length === 0)
  })
}
