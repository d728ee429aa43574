/** @typedef {Node | string | null | undefined} Child */
/** @typedef {{ readonly dataset?: Record<string, string>, readonly aria?: Record<string, unknown> }} Attributes */
/**
 * DOM properties of an element by their names, and its `data-` and `aria-` attributes.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @typedef {Partial<Omit<HTMLElementTagNameMap[Tag], 'dataset'>> & Attributes} Properties
 */

/**
 * Makes one element. `properties` are set as DOM properties, `dataset` and `aria` as attributes; children are nodes or
 * texts. Data only ever becomes text nodes here, so no conversation can turn into markup.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Properties<Tag>} [properties]
 * @param {...Child} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function element(tag, properties, ...children) {
  const node = document.createElement(tag)
  const { dataset = {}, aria = {}, ...rest } = properties ?? {}
  Object.assign(node, rest)
  Object.assign(node.dataset, dataset)
  for (const [name, value] of Object.entries(aria)) node.setAttribute(`aria-${name}`, String(value))
  node.append(...children.filter((child) => child !== null && child !== undefined))
  return node
}

/**
 * The element of the page with this id; a missing one, or one of another kind, is a fault of ours and says so at once.
 * @template {HTMLElement} [T=HTMLElement]
 * @param {string} id
 * @param {new () => T} [kind]
 * @returns {T}
 */
export function byId(id, kind) {
  const node = document.getElementById(id)
  if (node === null || !(node instanceof (kind ?? HTMLElement))) throw new Error(`The page has no element #${id}`)
  return /** @type {T} */ (node)
}

/**
 * A field of a form, by its id.
 * @param {string} id
 * @returns {HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement}
 */
export function controlById(id) {
  const node = byId(id)
  if (node instanceof HTMLInputElement || node instanceof HTMLSelectElement || node instanceof HTMLTextAreaElement) {
    return node
  }
  throw new Error(`#${id} is not a field`)
}

/**
 * A titled panel of the results.
 * @param {string} title
 * @param {{ readonly className?: string, readonly actions?: readonly HTMLElement[] }} options
 * @param {...Child} children
 */
export function panel(title, options, ...children) {
  const heading = element('h2', {}, title)
  const head = element('div', { className: 'panel-head' }, heading, ...(options.actions ?? []))
  return element('section', { className: `panel ${options.className ?? ''}`.trim() }, head, ...children)
}

/**
 * A caption for those who do not see the table. The text is hidden inside it: a hidden caption itself would count as the
 * first row of a table and spoil fixed widths.
 * @param {string} text
 */
export const captionOf = (text) => element('caption', {}, element('span', { className: 'unseen' }, text))

/**
 * A table from a list of column titles and a list of rows; cells are texts or nodes. Numbers stand to the right.
 * @param {string} caption
 * @param {readonly string[]} columns
 * @param {readonly (readonly (Node | string)[])[]} rows
 */
export function table(caption, columns, rows) {
  const head = columns.map((title) =>
    element('th', { scope: 'col', className: title.startsWith('#') ? 'number' : '' }, title.replace('#', '')),
  )
  const body = rows.map((cells) =>
    element(
      'tr',
      {},
      ...cells.map((cell, at) => element('td', { className: columns[at]?.startsWith('#') ? 'number' : '' }, cell)),
    ),
  )
  const inner = element(
    'table',
    {},
    captionOf(caption),
    element('thead', {}, element('tr', {}, ...head)),
    element('tbody', {}, ...body),
  )
  return element('div', { className: 'scroll' }, inner)
}
