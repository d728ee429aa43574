import { describeRow } from '../source/describe-row.js'
/** @import { CompactAnswer, Coverage, Fate, FateRow, Row } from '../shapes.js' */

/**
 * Fates in the order of the legend, each with what it means (docs/spec/contract.md §3a).
 * @type {Readonly<Record<string, string> & Record<Fate, string>>}
 */
export const FATES = {
  summarized: 'went into the summary',
  'turn-prefix': 'start of the turn that was cut; summarised by itself',
  carried: 'lives on in the previous summary',
  pruned: 'old tool output, replaced by a one-line notice',
  clipped: 'kept, but shortened',
  kept: 'stays word for word',
  ignored: 'not on this branch, or no part of the context',
}

/**
 * The rows of a coverage report beside the input they speak of: `{rows: [{id, index, fate, tokens, role, text}], cutIndex,
 * headEnd}`. `cutIndex` is the first row behind the summary (-1: no cut); `headEnd` the end of a list's protected head.
 * Null when the answer has no coverage.
 * @param {CompactAnswer} json
 * @param {readonly Row[]} inputRows
 * @returns {Coverage | null}
 */
export function coverageRows(json, inputRows) {
  const reported = json.plan?.coverage
  if (reported === undefined || reported.length === 0) return null
  const byId = new Map(inputRows.map((row) => [row.id, row]))
  const rows = reported.map(({ id, index, fate, tokens }, at) => {
    const source = (id === undefined ? inputRows[index ?? at] : byId.get(id)) ?? inputRows[at]
    const { role, text } = describeRow(source)
    return { id: id ?? null, index: at, fate, tokens, role, text }
  })
  return { rows, ...cutOf(json, rows) }
}

/**
 * @param {CompactAnswer} json
 * @param {readonly FateRow[]} rows
 */
function cutOf(json, rows) {
  const { boundaries, plan } = json
  if (typeof boundaries?.end === 'number' && boundaries.end > boundaries.start) {
    return { cutIndex: boundaries.end, headEnd: boundaries.start }
  }
  const cutIndex = plan?.firstKeptEntryId ? rows.findIndex(({ id }) => id === plan.firstKeptEntryId) : -1
  return { cutIndex, headEnd: 0 }
}

/**
 * Rows and tokens of every fate that occurs, in the order of the legend.
 * @param {readonly FateRow[]} rows
 */
export function fateTotals(rows) {
  const totals = new Map(Object.keys(FATES).map((fate) => [fate, { fate, rows: 0, tokens: 0 }]))
  for (const { fate, tokens } of rows) {
    const total = totals.get(fate) ?? { fate, rows: 0, tokens: 0 }
    total.rows += 1
    total.tokens += tokens
    totals.set(fate, total)
  }
  return [...totals.values()].filter((total) => total.rows > 0)
}

/**
 * Neighbours of one fate as one run, so that the map of a session of ten thousand entries stays a few elements.
 * @param {readonly FateRow[]} rows
 * @param {number} cutIndex
 */
export function fateRuns(rows, cutIndex) {
  /** @type {{ fate: string, tokens: number, rows: number, cut: boolean }[]} */
  const runs = []
  for (const row of rows) {
    const last = runs.at(-1)
    if (last !== undefined && last.fate === row.fate && row.index !== cutIndex) {
      last.tokens += row.tokens
      last.rows += 1
    } else runs.push({ fate: row.fate, tokens: row.tokens, rows: 1, cut: row.index === cutIndex })
  }
  return runs
}
