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
export function messagesView(title, messages) {
  const body = element('tbody', {}, ...messages.slice(0, SHOWN).map(rowOf))
  const list = entriesTable(title, ['at', 'role', 'text'], body)
  const more =
    messages.length > SHOWN
      ? [element('p', { className: 'muted' }, `${count(messages.length - SHOWN)} more in the JSON below.`)]
      : []
  return panel(title, {}, list, ...more)
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
  return messagesView(parts.join(' \u00b7 '), messages)
}
