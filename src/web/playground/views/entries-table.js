import { captionOf, element } from '../../element.js'

const TITLES = { at: '#', id: 'Entry', fate: 'Fate', role: 'Role', text: 'Content', number: 'Tokens', share: 'Share' }

/**
 * A table of entries, one line each; `columns` are the class names of its cells, which set their widths.
 * @param {string} caption
 * @param {readonly (keyof typeof TITLES)[]} columns
 * @param {HTMLElement} body
 */
export function entriesTable(caption, columns, body) {
  const head = columns.map((name) => element('th', { scope: 'col', className: name }, TITLES[name]))
  return element(
    'table',
    { className: 'entries' },
    captionOf(caption),
    element('thead', {}, element('tr', {}, ...head)),
    body,
  )
}
