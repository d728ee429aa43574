import { element, panel } from '../../element.js'
import { count, counted } from '../../format.js'
import { describeRow } from '../source/describe-row.js'
import { entriesTable } from './entries-table.js'

/**
 * @import { BranchAnswer, Row } from '../shapes.js'
 * @param {string} id
 * @param {boolean} included
 * @param {Row | undefined} source
 */
const branchRow = (id, included, source) => {
  const fate = included ? 'summarized' : 'ignored'
  const { role, text } = describeRow(source)
  return element(
    'tr',
    { className: `fate-${fate}` },
    element('td', { className: 'id' }, element('code', {}, id)),
    element('td', { className: 'fate' }, included ? 'included' : 'left out'),
    element('td', { className: 'role' }, role),
    element('td', { className: 'text' }, text),
  )
}

/**
 * The abandoned branch, entry by entry, and where the agent stands afterwards. Null without a collection.
 * @param {BranchAnswer} answer
 * @param {readonly Row[]} inputRows
 */
export function branchView({ collected, newLeafId }, inputRows) {
  if (!collected) return null
  const { commonAncestorId, entryIds = [], includedEntryIds = [], totalTokens, tokenBudget } = collected
  const byId = new Map(inputRows.map((row) => [row.id, row]))
  const included = new Set(includedEntryIds)
  const rows = entryIds.map((id) => branchRow(id, included.has(id), byId.get(id)))
  const entries =
    rows.length === 0
      ? []
      : [entriesTable('Entries of the abandoned branch', ['id', 'fate', 'role', 'text'], element('tbody', {}, ...rows))]
  return panel(
    `${counted(entryIds.length, 'entry', 'entries')} left behind`,
    { className: 'coverage' },
    element(
      'p',
      {},
      'They fork off at ',
      element('code', {}, commonAncestorId ?? 'the root'),
      ' and the leaf moves to ',
      element('code', {}, newLeafId ?? 'the root'),
      '.',
    ),
    element('p', { className: 'muted' }, `${count(totalTokens)} tokens, budget ${count(tokenBudget)}`),
    ...entries,
  )
}
