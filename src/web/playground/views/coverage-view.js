import { element, panel } from '../../element.js'
import { count, counted } from '../../format.js'
import { FATES, fateRuns, fateTotals } from './coverage-rows.js'
import { entriesTable } from './entries-table.js'

/** @import { Coverage, FateRow } from '../shapes.js' */

/** Rows shown at first on either side of the cut; a long session shows the rest when asked. */
const SHOWN_AROUND_CUT = 120

/** @type {Parameters<typeof entriesTable>[1]} */
const COLUMNS = ['at', 'fate', 'role', 'text', 'number', 'share']

/**
 * Every row of the input with its fate, and the line where the summary ends.
 * @param {Coverage} coverage
 */
export function coverageView({ rows, cutIndex, headEnd }) {
  const body = element('tbody')
  const more = element('div', { className: 'row' })
  const center = Math.max(0, cutIndex)
  const from = Math.max(0, center - SHOWN_AROUND_CUT)
  const to = Math.min(rows.length, center + SHOWN_AROUND_CUT)
  const largest = rows.reduce((top, row) => Math.max(top, row.tokens), 1)
  /** @type {(start: number, end: number) => void} */
  const fill = (start, end) => body.replaceChildren(...trsOf(rows.slice(start, end), { cutIndex, headEnd, largest }))
  fill(from, to)
  if (to - from < rows.length) {
    const button = element('button', { type: 'button', className: 'quiet' }, `Show all ${count(rows.length)} rows`)
    button.addEventListener('click', () => {
      fill(0, rows.length)
      more.remove()
    })
    more.append(
      element('span', { className: 'muted' }, `Rows ${count(from + 1)} to ${count(to)}, around the cut.`),
      button,
    )
  }
  const title = `What became of ${counted(rows.length, 'row')}`
  return panel(
    title,
    { className: 'coverage' },
    mapOf(rows, cutIndex),
    legendOf(rows),
    boxed(entriesTable('Every row of the input and its fate', COLUMNS, body)),
    more,
  )
}

/**
 * A window of its own for many rows, which opens at the cut; with a tab stop, so that keys can move it.
 * @param {HTMLElement} rows
 */
function boxed(rows) {
  const box = element(
    'div',
    { className: 'rows', tabIndex: 0, role: 'region', aria: { label: 'Rows and their fates' } },
    rows,
  )
  requestAnimationFrame(() => {
    const cut = box.querySelector('.cut')
    if (cut instanceof HTMLElement) box.scrollTop = cut.offsetTop - box.clientHeight / 2
  })
  return box
}

/**
 * @param {readonly FateRow[]} rows
 * @param {{ readonly cutIndex: number, readonly headEnd: number, readonly largest: number }} marks
 */
function trsOf(rows, { cutIndex, headEnd, largest }) {
  return rows.flatMap((row) => {
    const tr = trOf(row, largest)
    if (row.index === cutIndex) return [lineOf('cut', cutText(row)), tr]
    if (headEnd > 0 && row.index === headEnd) return [lineOf('head-end', 'Head ends here; the summary follows'), tr]
    return [tr]
  })
}

/** @param {FateRow} row */
const cutText = (row) => (row.id === null ? `Cut before row ${row.index + 1}` : `Cut: first kept entry ${row.id}`)

/**
 * @param {string} kind
 * @param {string} text
 */
function lineOf(kind, text) {
  const cell = element('td', { colSpan: 6 }, element('span', {}, text))
  return element('tr', { className: `line ${kind}` }, cell)
}

/**
 * @param {FateRow} row
 * @param {number} largest
 */
function trOf({ id, index, fate, tokens, role, text }, largest) {
  const bar = element('span', { className: 'bar' })
  bar.style.setProperty('--share', String(tokens / largest))
  return element(
    'tr',
    { className: `fate-${fate}`, title: id ?? '' },
    element('td', { className: 'at' }, String(index + 1)),
    element('td', { className: 'fate' }, fate),
    element('td', { className: 'role' }, role),
    element('td', { className: 'text' }, text),
    element('td', { className: 'number' }, count(tokens)),
    element('td', { className: 'share' }, bar),
  )
}

/** @param {readonly FateRow[]} rows */
function legendOf(rows) {
  const items = fateTotals(rows).map(({ fate, rows: number, tokens }) =>
    element(
      'li',
      { className: `fate-${fate}` },
      element('span', { className: 'swatch' }),
      element('b', {}, fate),
      element('span', { className: 'number' }, counted(number, 'row')),
      element('span', { className: 'number' }, `${count(tokens)} tokens`),
      element('span', { className: 'muted' }, FATES[fate] ?? ''),
    ),
  )
  return element('ul', { className: 'legend' }, ...items)
}

/**
 * The whole input as one strip, as wide as it is heavy; the table below says the same in words.
 * @param {readonly FateRow[]} rows
 * @param {number} cutIndex
 */
function mapOf(rows, cutIndex) {
  const runs = fateRuns(rows, cutIndex).filter((run) => run.tokens > 0 || run.cut)
  const parts = runs.map(({ fate, tokens, rows: number, cut }) => {
    const part = element('span', {
      className: `fate-${fate}${cut ? ' after-cut' : ''}`,
      title: `${fate}: ${counted(number, 'row')}, ${count(tokens)} tokens`,
    })
    part.style.flexGrow = String(tokens)
    return part
  })
  return element('div', { className: 'map', aria: { hidden: true } }, ...parts)
}
