import { element, panel } from '../element.js'
import { count, counted } from '../format.js'
import { describeRow } from './describe-row.js'
import { entriesTable } from './entries-table.js'

const SHOWN = 200

const rowOf = (message, at) => {
  const { role, text } = describeRow(message)
  return element(
    'tr',
    {},
    element('td', { className: 'at' }, String(at + 1)),
    element('td', { className: 'role' }, role),
    element('td', { className: 'text' }, text),
  )
}

/** Messages a model would be sent, one line each. */
function messagesList(title, messages) {
  const body = element('tbody', {}, ...messages.slice(0, SHOWN).map(rowOf))
  const more = `${count(messages.length - SHOWN)} more in the JSON below.`
  return [
    entriesTable(title, ['at', 'role', 'text'], body),
    ...(messages.length > SHOWN ? [element('p', { className: 'muted' }, more)] : []),
  ]
}

/** The context after a compaction, folded: the rows above say most of it. Null where the answer has none. */
export function contextAfterView(messages) {
  if (!Array.isArray(messages)) return null
  const title = `The context afterwards: ${counted(messages.length, 'message')}`
  return element('details', { className: 'panel' }, element('summary', {}, title), ...messagesList(title, messages))
}

/** The answer of /context. */
export function contextView({ messages = [], model, thinkingLevel }) {
  const name =
    typeof model === 'string' ? model : [model?.provider, model?.modelId ?? model?.id].filter(Boolean).join('/')
  const parts = [
    counted(messages.length, 'message'),
    ...(name ? [`model ${name}`] : []),
    ...(thinkingLevel ? [`thinking ${thinkingLevel}`] : []),
  ]
  const title = parts.join(' \u00b7 ')
  return panel(title, {}, ...messagesList(title, messages))
}
