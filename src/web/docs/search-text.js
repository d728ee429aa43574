import { resolveRef } from './resolve-ref.js'
import { variantsOf } from './type-label.js'

/** @import { Api, Entry, Schema } from './api-shapes.js' */

const MAX_DEPTH = 6

/**
 * Names of all fields below a schema; a schema that holds itself is left after a few rounds.
 * @param {Schema | undefined} node
 * @param {Api} api
 * @returns {string[]}
 */
function fieldNames(node, api, depth = 0) {
  if (depth > MAX_DEPTH || node === undefined) return []
  const schema = resolveRef(node, api)
  const inner = [
    ...Object.values(schema.properties ?? {}),
    ...variantsOf(schema),
    ...(schema.allOf ?? []),
    ...(schema.items ? [schema.items] : []),
  ]
  return [
    ...Object.keys(schema.properties ?? {}),
    ...(schema.enum ?? []).map(String),
    ...inner.flatMap((child) => fieldNames(child, api, depth + 1)),
  ]
}

/**
 * What the filter box looks through for one operation, in lower case.
 * @param {Entry} entry
 * @param {Api} api
 */
export function searchText({ path, method, operation }, api) {
  const schemas = [operation.requestBody, ...Object.values(operation.responses ?? {})].flatMap((body) =>
    Object.values(resolveRef(body ?? {}, api).content ?? {}).map(({ schema }) => schema),
  )
  const words = [
    method,
    path,
    operation.summary,
    operation.description,
    ...(operation.tags ?? []),
    ...operation.parameters.map((parameter) => resolveRef(parameter, api).name),
    ...Object.values(operation.responses ?? {}).map(({ description }) => description),
    ...new Set(schemas.flatMap((schema) => fieldNames(schema, api))),
  ]
  return words.filter(Boolean).join('\n').toLowerCase()
}
