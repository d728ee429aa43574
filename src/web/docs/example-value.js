import { resolveRef } from './resolve-ref.js'
import { variantsOf } from './type-label.js'

/** @import { Api, Media, Schema } from './api-shapes.js' */

const MAX_DEPTH = 5

/** @type {Readonly<Record<string, unknown>>} */
const PLACEHOLDERS = { string: '…', integer: 1, number: 0.5, boolean: true, null: null }

/**
 * The example a media type gives, or one made of its schema: required fields only, so that it can be sent as it is.
 * @param {Media} media
 * @param {Api} api
 */
export function exampleValue(media, api) {
  if (media.example !== undefined) return media.example
  const [first] = Object.values(media.examples ?? {})
  if (first?.value !== undefined) return first.value
  return valueFor(media.schema ?? {}, api, 0)
}

/**
 * @param {Schema} node
 * @param {Api} api
 * @param {number} depth
 * @returns {unknown}
 */
function valueFor(node, api, depth) {
  const schema = resolveRef(node, api)
  const given = schema.example ?? schema.examples?.[0] ?? schema.default ?? schema.const ?? schema.enum?.[0]
  if (given !== undefined) return given
  if (depth > MAX_DEPTH) return null
  const [variant] = variantsOf(schema)
  if (variant !== undefined) return valueFor(variant, api, depth + 1)
  if (schema.allOf !== undefined)
    return Object.assign({}, ...schema.allOf.map((part) => valueFor(part, api, depth + 1)))
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type
  if (type === 'array') return [valueFor(schema.items ?? {}, api, depth + 1)]
  if (type === 'object' || schema.properties !== undefined) return objectOf(schema, api, depth)
  return PLACEHOLDERS[type ?? ''] ?? null
}

/**
 * @param {Schema} schema
 * @param {Api} api
 * @param {number} depth
 */
function objectOf({ properties = {}, required = [] }, api, depth) {
  const entries = Object.entries(properties).filter(([name]) => required.includes(name))
  return Object.fromEntries(entries.map(([name, property]) => [name, valueFor(property, api, depth + 1)]))
}
