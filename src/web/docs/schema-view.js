import { element } from '../element.js'
import { counted } from '../format.js'
import { inlineProse } from './prose.js'
import { resolveRef } from './resolve-ref.js'
import { constraintsOf, typeLabel, variantsOf } from './type-label.js'

/** @import { Api, Schema } from './api-shapes.js' */

const MAX_ENUM = 24

/**
 * A schema as a list of its fields. What lies deeper unfolds on demand, which also ends every recursion.
 * @param {Schema} node
 * @param {Api} api
 * @returns {HTMLElement}
 */
export function schemaView(node, api) {
  const schema = resolveRef(node, api)
  const parts = [...fieldsOf(schema, api), ...variantsView(schema, api)]
  if (parts.length > 0) return element('div', { className: 'schema' }, ...parts)
  if (schema.items !== undefined) return schemaView(schema.items, api)
  const words = [element('span', { className: 'type' }, typeLabel(node, api)), ...detailsOf(schema, false)]
  return element('div', { className: 'schema lone' }, ...words)
}

/**
 * @param {Schema} schema
 * @param {Api} api
 */
function fieldsOf(schema, api) {
  const own = schema.properties ?? {}
  const merged = (schema.allOf ?? []).map((part) => resolveRef(part, api))
  /** @type {Readonly<Record<string, Schema>>} */
  const properties = Object.assign({}, ...merged.map((part) => part.properties ?? {}), own)
  const required = new Set([schema, ...merged].flatMap((part) => part.required ?? []))
  const rows = Object.entries(properties).map(([name, property]) => fieldOf(name, property, required.has(name), api))
  if (rows.length === 0) return []
  // Required fields first: they are what a caller has to know.
  rows.sort((a, b) => Number(b.dataset['required']) - Number(a.dataset['required']))
  return [element('ul', { className: 'fields' }, ...rows)]
}

/**
 * @param {string} name
 * @param {Schema} property
 * @param {boolean} required
 * @param {Api} api
 */
function fieldOf(name, property, required, api) {
  const schema = resolveRef(property, api)
  const head = [
    element('code', { className: 'name' }, name),
    element('span', { className: 'type' }, typeLabel(property, api)),
    ...(required ? [element('span', { className: 'required' }, 'required')] : []),
    ...(schema.deprecated ? [element('span', { className: 'badge warn' }, 'deprecated')] : []),
  ]
  const inside = innerOf(property, api)
  /** @type {HTMLElement[]} */
  const rows = [element('div', { className: 'field-head' }, ...head), ...detailsOf(schema, true)]
  if (inside !== null) rows.push(unfolding(inside, api))
  return element('li', { dataset: { required: required ? '1' : '0' } }, ...rows)
}

/**
 * The part of a schema that has fields of its own to show, or null.
 * @param {Schema} node
 * @param {Api} api
 * @returns {Schema | null}
 */
function innerOf(node, api) {
  const schema = resolveRef(node, api)
  if (Object.keys(schema.properties ?? {}).length > 0 || schema.allOf !== undefined) return schema
  if (schema.items !== undefined) return innerOf(schema.items, api)
  const structured = variantsOf(schema).filter((variant) => innerOf(variant, api) !== null)
  const [first, ...others] = structured
  if (first !== undefined) return others.length === 0 ? innerOf(first, api) : schema
  const values = schema.additionalProperties
  return typeof values === 'object' && Object.keys(values).length > 0 ? innerOf(values, api) : null
}

/** @param {Schema} schema */
function labelOf({ properties }) {
  const number = Object.keys(properties ?? {}).length
  return number === 0 ? 'variants' : counted(number, 'field')
}

/**
 * @param {Schema} inside
 * @param {Api} api
 */
function unfolding(inside, api) {
  const details = element('details', { className: 'inner' }, element('summary', {}, labelOf(inside)))
  details.addEventListener('toggle', () => details.append(schemaView(inside, api)), { once: true })
  return details
}

/**
 * @param {Schema} schema
 * @param {Api} api
 */
function variantsView(schema, api) {
  const variants = variantsOf(schema)
  if (variants.length === 0) return []
  const views = variants.map((variant, at) => {
    const { title } = resolveRef(variant, api)
    const label = `${title ?? `Variant ${at + 1}`}: ${typeLabel(variant, api)}`
    const details = element('details', { className: 'inner variant' }, element('summary', {}, label))
    details.addEventListener('toggle', () => details.append(schemaView(variant, api)), { once: true })
    return details
  })
  return [element('p', { className: 'muted one-of' }, 'One of'), ...views]
}

/**
 * @param {Schema} schema
 * @param {boolean} described
 */
function detailsOf(schema, described) {
  const found = []
  if (described && schema.description)
    found.push(element('p', { className: 'about' }, ...inlineProse(schema.description)))
  const facts = constraintsOf(schema)
  if (schema.default !== undefined) facts.unshift(`default ${JSON.stringify(schema.default)}`)
  if (facts.length > 0) found.push(element('p', { className: 'limits' }, facts.join(' · ')))
  const values = schema.enum ?? schema.items?.enum ?? []
  if (values.length > 0) {
    const shown = values.slice(0, MAX_ENUM).map((value) => element('code', {}, JSON.stringify(value)))
    const more = values.length > MAX_ENUM ? [`and ${values.length - MAX_ENUM} more`] : []
    found.push(element('p', { className: 'values' }, ...shown, ...more))
  }
  return found
}
