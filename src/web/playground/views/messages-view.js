import { element, panel } from '../../element.js'
import { count, counted } from '../../format.js'
import { describeRow } from '../source/describe-row.js'
import { entriesTable } from './entries-table.js'

/** @import { ContextAnswer } from '../shapes.js' */

const SHOWN = 200

/**
 * @param {unknown} message
 * @param {number} at
 */
const rowOf = (message, at) => {
  const { role, text } = describeRow(typeof message === 'object' && message !== null ? message : {})
  return element(
    'tr',
    {},
    element('td', { className: 'at' }, String(at + 1)),
    element('td', { className: 'role' }, role),
    element('td', { className: 'text' }, text),
  )
}

/**
 * Messages a model would be sent, one line each.
 * @param {string} title
 * @param {readonly unknown[]} messages
 */
function messagesList(title, messages) {
  const body = element('tbody', {}, ...messages.slice(0, SHOWN).map(rowOf))
  const more = `${count(messages.length - SHOWN)} more in the JSON below.`
  return [
    entriesTable(title, ['at', 'role', 'text'], body),
    ...(messages.length > SHOWN ? [element('p', { className: 'muted' }, more)] : []),
  ]
}

/**
 * The context after a compaction, folded: the rows above say most of it. Null where the answer has none.
 * @param {readonly unknown[] | undefined} messages
 */
export function contextAfterView(messages) {
  if (messages === undefined) return null
  const title = `The context afterwards: ${counted(messages.length, 'message')}`
  return element('details', { className: 'panel' }, element('summary', {}, title), ...messagesList(title, messages))
}

/**
 * The answer of /context.
 * @param {ContextAnswer} answer
 */
export function contextView({ messages = [], model, thinkingLevel }) {
  const parts = [
    counted(messages.length, 'message'),
    ...(model ? [`model ${model}`] : []),
    ...(thinkingLevel ? [`thinking ${thinkingLevel}`] : []),
  ]
  const title = parts.join(' \u00b7 ')
  return panel(title, {}, ...messagesList(title, messages))
}
