import { byId, element } from '../element.js'
import { errorTable } from './error-table.js'
import { listenToFilter } from './filter.js'
import { operationView } from './operation-view.js'
import { errorCodes, groupsOf } from './operations.js'
import { prose } from './prose.js'
import { searchText } from './search-text.js'

/** @import { Api, Entry, Tag } from './api-shapes.js' */

/** @returns {Promise<Api>} */
async function readDocument() {
  const response = await fetch('openapi.json')
  if (!response.ok) throw new Error(`/openapi.json answered with HTTP ${response.status}.`)
  return await response.json()
}

/** @param {Entry} entry */
function linkTo({ anchor, method, path }) {
  return element(
    'a',
    { href: `#${anchor}` },
    element('span', { className: `method ${method}` }, method.toUpperCase()),
    element('span', {}, path),
  )
}

/**
 * @param {Entry} entry
 * @param {Api} api
 */
function itemOf(entry, api) {
  const view = operationView(entry, api)
  const link = element('li', {}, linkTo(entry))
  return { view, link, nodes: [view, link], text: searchText(entry, api) }
}

/**
 * @param {Tag & { readonly operations: readonly Entry[] }} group
 * @param {Api} api
 */
function groupOf({ name, description, operations }, api) {
  const items = operations.map((entry) => itemOf(entry, api))
  const view = element(
    'section',
    { className: 'group' },
    element('h2', { id: `tag-${name}` }, name),
    ...prose(description),
    ...items.map((item) => item.view),
  )
  const contents = element(
    'div',
    {},
    element('a', { className: 'group-link', href: `#tag-${name}` }, name),
    element('ul', {}, ...items.map((item) => item.link)),
  )
  return { items, view, contents, nodes: [view, contents] }
}

/**
 * The error table is one more thing that the filter can find.
 * @param {Api} api
 */
function errorsOf(api) {
  const view = errorTable(api)
  if (view === null) return []
  const contents = element('div', {}, element('a', { className: 'group-link', href: '#errors' }, 'Error codes'))
  const text = errorCodes(api)
    .map(({ code, status, title }) => `${status} ${code} ${title}`)
    .join('\n')
    .toLowerCase()
  const nodes = [view, contents]
  return [{ view, contents, nodes, items: [{ text, nodes }] }]
}

/** @param {Api} api */
function render(api) {
  const { info = {} } = api
  const groups = [...groupsOf(api).map((group) => groupOf(group, api)), ...errorsOf(api)]
  const intro = element(
    'section',
    { className: 'intro' },
    element('h1', {}, `${info.title} API`),
    element('p', { className: 'lead' }, info.summary ?? ''),
    ...prose(info.description),
  )
  byId('version').textContent = info.version ? `v${info.version}` : ''
  byId('contents').replaceChildren(...groups.map((group) => group.contents))
  byId('reference').replaceChildren(intro, ...groups.map((group) => group.view))
  listenToFilter(
    groups.flatMap((group) => group.items),
    groups,
  )
}

/** The page was empty when the browser looked for the anchor of the address. */
function goToAnchor() {
  if (location.hash !== '') document.getElementById(decodeURIComponent(location.hash.slice(1)))?.scrollIntoView()
}

try {
  render(await readDocument())
  goToAnchor()
} catch (error) {
  const link = element('a', { href: '/openapi.yaml' }, 'openapi.yaml')
  byId('reference').replaceChildren(
    element(
      'p',
      { className: 'fault', role: 'alert' },
      `The description could not be shown: ${error instanceof Error ? error.message : error} The same as text: `,
      link,
    ),
  )
}
