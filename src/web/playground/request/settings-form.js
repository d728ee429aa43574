import { byId, controlById, element } from '../../element.js'
import { describeRow } from '../source/describe-row.js'
import { ENDPOINT_NAMES, ENDPOINTS, fieldsFor } from './endpoints.js'

/** @import { EndpointName, Fault, Kind, Source, Values } from '../shapes.js' */

/** Sessions can have ten thousand entries; a list of them all would be no help. The newest are the likely ones. */
const OFFERED_ENTRIES = 500

/** @returns {HTMLElement[]} */
const fields = () => [...document.querySelectorAll('[data-field]')].filter((node) => node instanceof HTMLElement)
/** @param {HTMLElement} wrapper */
const controlOf = (wrapper) => controlById(wrapper.dataset['field'] ?? '')
/** @param {HTMLElement} control @returns {control is HTMLInputElement} */
const isCheckbox = (control) => control instanceof HTMLInputElement && control.type === 'checkbox'

/**
 * What the fields hold, by id.
 * @returns {Values}
 */
export function settingValues() {
  return Object.fromEntries(
    fields().map((wrapper) => {
      const control = controlOf(wrapper)
      return [control.id, isCheckbox(control) ? control.checked : control.value.trim()]
    }),
  )
}

/**
 * Puts these values in and empties every other field.
 * @param {Values} values
 */
export function fillSettings(values) {
  for (const wrapper of fields()) {
    const control = controlOf(wrapper)
    if (isCheckbox(control)) control.checked = values[control.id] === true
    else control.value = String(values[control.id] ?? '')
  }
}

/**
 * The choice of endpoints as radio buttons; `onChange(name)` after every choice.
 * @param {(name: EndpointName) => void} onChange
 */
export function endpointChoice(onChange) {
  const holder = byId('endpoints')
  for (const name of ENDPOINT_NAMES) {
    const input = element('input', { type: 'radio', name: 'endpoint', id: `endpoint-${name}`, value: name })
    holder.append(input, element('label', { htmlFor: input.id }, ENDPOINTS[name].path))
  }
  holder.addEventListener('change', (event) => {
    const chosen = ENDPOINT_NAMES.find((name) => event.target === byId(`endpoint-${name}`))
    if (chosen !== undefined) onChange(chosen)
  })
  return {
    /** @param {EndpointName} name */
    choose(name) {
      byId(`endpoint-${name}`, HTMLInputElement).checked = true
      onChange(name)
    },
  }
}

/**
 * Shows the fields that matter to this endpoint and input, and says what it does.
 * @param {EndpointName} endpoint
 * @param {Kind} kind
 */
export function showFieldsOf(endpoint, kind) {
  const wanted = fieldsFor(endpoint, kind)
  byId('endpoint-says').textContent = ENDPOINTS[endpoint].says
  for (const wrapper of fields()) wrapper.hidden = !wanted.includes(wrapper.dataset['field'] ?? '')
  // A fold with nothing in it would only be a riddle.
  byId('more').hidden = !wanted.some((name) => byId('more').contains(byId(name)))
}

/**
 * Fills the two lists of entries that /branch-summary asks for.
 * @param {Source} source
 */
export function offerEntries(source) {
  const rows =
    source.kind === 'session' ? source.rows.filter((row) => typeof row.id === 'string' && row.type !== 'session') : []
  const options = () =>
    rows.slice(-OFFERED_ENTRIES).map((row) => {
      const { id, role, text } = describeRow(row)
      return element('option', { value: id ?? '' }, `${id} ${role}: ${text.slice(0, 60)}`)
    })
  byId('targetId').replaceChildren(element('option', { value: '' }, 'choose an entry'), ...options())
  const last = rows.at(-1)
  byId('oldLeafId').replaceChildren(
    ...(last === undefined ? [element('option', { value: '' }, 'the last entry')] : options()),
  )
  if (last?.id !== undefined) controlById('oldLeafId').value = last.id
}

/**
 * Marks one field as wrong and goes there; null clears all marks.
 * @param {Fault | null} fault
 */
export function showFault(fault) {
  const box = fault?.field === 'source' ? byId('source-fault') : byId('form-fault')
  for (const id of ['source-fault', 'form-fault']) {
    byId(id).hidden = true
    byId(id).textContent = ''
  }
  for (const marked of document.querySelectorAll('[aria-invalid]')) marked.removeAttribute('aria-invalid')
  if (fault === null) return
  box.hidden = false
  const control = controlById(fault.field)
  const label = fault.field === 'source' ? '' : `${control.labels?.[0]?.textContent ?? ''}: `
  box.textContent = label + fault.message
  control.setAttribute('aria-invalid', 'true')
  if (byId('more').contains(control)) byId('more', HTMLDetailsElement).open = true
  control.focus()
}
