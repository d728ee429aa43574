import { element, panel } from '../../element.js'
import { count, counted } from '../../format.js'
import { describeRow } from '../source/describe-row.js'
import { entriesTable } from './entries-table.js'

/** @import { Answers, Row } from '../shapes.js' */

/**
 * Pruned entries with what they held before; the notice that takes its place is in the JSON.
 * @param {Answers['prune']['entries']} entries
 * @param {readonly Row[]} inputRows
 */
function prunedTable(entries, inputRows) {
  const byId = new Map(inputRows.map((row) => [row.id, row]))
  const rows = entries.map(({ id, index, tokens }) => {
    const { role, text } = describeRow(index === undefined ? byId.get(id) : inputRows[index])
    return element(
      'tr',
      { className: 'fate-pruned' },
      element('td', { className: 'id' }, element('code', {}, id)),
      element('td', { className: 'role' }, role),
      element('td', { className: 'text' }, text),
      element('td', { className: 'number' }, count(tokens)),
    )
  })
  return entriesTable('Pruned entries', ['id', 'role', 'text', 'number'], element('tbody', {}, ...rows))
}

/**
 * The answer of /prune.
 * @param {Answers['prune']} answer
 * @param {readonly Row[]} inputRows
 */
export function pruneView({ count: number, tokensSaved, entries = [] }, inputRows) {
  if (number === 0) {
    const text = 'Too little old tool output, or all of it is protected. Lower the two limits to prune more.'
    return panel('Nothing to prune', {}, element('p', {}, text))
  }
  const title = `${counted(number, 'tool result')} can go, ${count(tokensSaved)} tokens saved`
  const note = element(
    'p',
    { className: 'muted' },
    `In the file each becomes one line like \u201c${entries[0]?.text ?? ''}\u201d.`,
  )
  return panel(title, {}, note, prunedTable(entries, inputRows))
}
