import { byId } from '../element.js'
import { counted } from '../format.js'

/** @typedef {{ readonly text: string, readonly nodes: readonly HTMLElement[] }} Item */

/**
 * Narrows the page to the operations that hold every word of the filter box. `items` are `{text, nodes}`; `groups` are
 * `{nodes, items}` and vanish with their last item.
 * @param {readonly Item[]} items
 * @param {readonly { readonly nodes: readonly HTMLElement[], readonly items: readonly Item[] }[]} groups
 */
export function listenToFilter(items, groups) {
  const box = byId('filter', HTMLInputElement)
  const note = byId('filter-note')
  /** @type {(nodes: readonly HTMLElement[], hidden: boolean) => void} */
  const hide = (nodes, hidden) => {
    for (const node of nodes) node.hidden = hidden
  }
  box.addEventListener('input', () => {
    const words = box.value.toLowerCase().split(/\s+/).filter(Boolean)
    const found = new Set(items.filter(({ text }) => words.every((word) => text.includes(word))))
    for (const item of items) hide(item.nodes, !found.has(item))
    for (const group of groups) hide(group.nodes, !group.items.some((item) => found.has(item)))
    note.textContent =
      words.length === 0 ? '' : found.size === 0 ? 'Nothing matches.' : counted(found.size, 'match', 'matches')
  })
  document.addEventListener('keydown', (event) => {
    const isTyping = event.target instanceof Element && /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName)
    if (event.key !== '/' || isTyping) return
    event.preventDefault()
    box.focus()
  })
}
