import { element, panel, table } from '../../element.js'
import { count, counted, dollars, duration } from '../../format.js'

/**
 * @import { WorkAnswer, Attempt, Call } from '../shapes.js'
 * @param {Attempt} attempt
 */
const outcomeOf = ({ outcome }) =>
  element('span', { className: outcome === 'ok' ? 'outcome good' : 'outcome bad' }, outcome ?? '')

/**
 * One row a try: which model, how it went, how long.
 * @param {readonly Attempt[]} attempts
 */
export function attemptsTable(attempts) {
  const rows = attempts.map((row) => [
    row.kind ?? '',
    row.model ?? '',
    outcomeOf(row),
    row.status === undefined ? '' : String(row.status),
    duration(row.durationMs),
  ])
  const named = rows.some(([kind]) => kind !== '')
  const columns = ['Kind', 'Model', 'Outcome', '#Status', '#Time']
  return named
    ? table('Attempts', columns, rows)
    : table(
        'Attempts',
        columns.slice(1),
        rows.map((cells) => cells.slice(1)),
      )
}

/**
 * Calls of the answer; /summarize without `calls` is one call.
 * @param {WorkAnswer} json
 * @returns {readonly Call[]}
 */
function callsOf(json) {
  if (json.calls !== undefined && json.calls.length > 0) return json.calls
  if (json.model === undefined || json.usage === undefined || json.attempts === undefined) return []
  return [{ kind: 'summary', model: json.model, usage: json.usage, attempts: json.attempts }]
}

/**
 * @param {Call} call
 * @returns {string[]}
 */
function callRow({ kind = '', model = '', usage, attempts = [], durationMs }) {
  const took = durationMs ?? attempts.reduce((sum, row) => sum + (row.durationMs ?? 0), 0)
  return [
    kind,
    model,
    count(usage?.inputTokens),
    count(usage?.outputTokens),
    dollars(usage?.costUsd),
    String(attempts.length),
    duration(took),
  ]
}

/**
 * Which models were asked, what it used and cost. Null when none was asked.
 * @param {WorkAnswer} json
 */
export function callsView(json) {
  const calls = callsOf(json)
  if (calls.length === 0) return null
  const columns = ['Kind', 'Model', '#Tokens in', '#Tokens out', '#Cost', '#Tries', '#Time']
  const rows = calls.map(callRow)
  if (calls.length > 1)
    rows.push([
      'All',
      '',
      count(json.usage?.inputTokens),
      count(json.usage?.outputTokens),
      dollars(json.usage?.costUsd),
      '',
      '',
    ])
  const attempts = calls.flatMap(({ kind, attempts: tries = [] }) => tries.map((row) => ({ kind, ...row })))
  const failed = attempts.filter(({ outcome }) => outcome !== 'ok').length
  const summary =
    failed === 0
      ? attempts.length === 1
        ? 'The try went well'
        : `All ${attempts.length} tries went well`
      : `${failed} of ${counted(attempts.length, 'try', 'tries')} failed`
  const details =
    attempts.length === 0
      ? []
      : [element('details', { open: failed > 0 }, element('summary', {}, summary), attemptsTable(attempts))]
  return panel('Calls', { className: 'calls' }, table('Calls', columns, rows), ...details)
}
