import { refName, resolveRef } from './resolve-ref.js'
/** @import { Api, Schema } from './api-shapes.js' */

/**
 * Alternatives of a schema, or none.
 * @param {Schema} schema
 */
export const variantsOf = (schema) => schema.oneOf ?? schema.anyOf ?? []

const MAX_NAMED_VARIANTS = 4

/**
 * What kind of value a schema takes, in few words: `string`, `integer[]`, `object`, `"a" | "b"`, `Problem`.
 * @param {Schema} node
 * @param {Api} api
 * @returns {string}
 */
export function typeLabel(node, api, depth = 0) {
  const name = refName(node)
  if (name !== null) return name
  const schema = resolveRef(node, api)
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (depth > 3) return 'any'
  if (schema.type === 'array' || schema.items !== undefined) return arrayLabel(schema, api, depth)
  if (Array.isArray(schema.type)) return schema.type.join(' | ')
  if (typeof schema.type === 'string') return mapLabel(schema, api, depth) ?? schema.type
  const variants = variantsOf(schema)
  if (variants.length > 0) return variantsLabel(variants, api, depth)
  if (schema.allOf !== undefined) return 'object'
  if (schema.enum !== undefined) return 'enum'
  return schema.properties === undefined ? 'any' : 'object'
}

/**
 * @param {Schema} schema
 * @param {Api} api
 * @param {number} depth
 */
function arrayLabel(schema, api, depth) {
  const item = typeLabel(schema.items ?? {}, api, depth + 1)
  return item.includes(' ') ? `(${item})[]` : `${item}[]`
}

/**
 * `record<string>` for objects whose keys are free and whose values are not.
 * @param {Schema} schema
 * @param {Api} api
 * @param {number} depth
 */
function mapLabel(schema, api, depth) {
  const values = schema.additionalProperties
  const named = Object.keys(schema.properties ?? {}).length > 0
  if (schema.type !== 'object' || named || typeof values !== 'object' || Object.keys(values).length === 0) return null
  return `record of ${typeLabel(values, api, depth + 1)}`
}

/**
 * @param {readonly Schema[]} variants
 * @param {Api} api
 * @param {number} depth
 */
function variantsLabel(variants, api, depth) {
  const labels = [...new Set(variants.map((variant) => typeLabel(variant, api, depth + 1)))]
  if (labels.length <= MAX_NAMED_VARIANTS) return labels.join(' | ')
  return `${labels.slice(0, MAX_NAMED_VARIANTS).join(' | ')} | …`
}

/** @type {readonly (readonly ['minimum' | 'exclusiveMinimum' | 'maximum' | 'exclusiveMaximum', string])[]} */
const LIMITS = [
  ['minimum', '≥ '],
  ['exclusiveMinimum', '> '],
  ['maximum', '≤ '],
  ['exclusiveMaximum', '< '],
]

/**
 * zod writes the bounds of safe integers into every integer; they tell a reader nothing.
 * @param {number | undefined} value
 * @returns {value is number}
 */
const telling = (value) => typeof value === 'number' && Math.abs(value) < Number.MAX_SAFE_INTEGER

/**
 * Bounds, patterns and formats of a schema as short texts.
 * @param {Schema} schema
 */
export function constraintsOf(schema) {
  const found = LIMITS.filter(([name]) => telling(schema[name])).map(([name, sign]) => `${sign}${schema[name]}`)
  if (schema.minLength === 1) found.push('not empty')
  else if ((schema.minLength ?? 0) > 1) found.push(`at least ${schema.minLength} characters`)
  if (telling(schema.maxLength)) found.push(`at most ${schema.maxLength} characters`)
  if ((schema.minItems ?? 0) > 0) found.push(`at least ${schema.minItems} items`)
  if (telling(schema.maxItems)) found.push(`at most ${schema.maxItems} items`)
  if (typeof schema.pattern === 'string') found.push(`matches ${schema.pattern}`)
  if (typeof schema.format === 'string') found.push(schema.format)
  return found
}
