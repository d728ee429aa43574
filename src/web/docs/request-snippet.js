import { exampleValue } from './example-value.js'
import { resolveRef } from './resolve-ref.js'

/** @import { Api, Entry, Media } from './api-shapes.js' */

/** @param {string} text */
const quoted = (text) => `'${text.replaceAll("'", String.raw`'\''`)}'`

/** @param {readonly object[] | undefined} security */
const isOpen = (security) =>
  security !== undefined && (security.length === 0 || security.every((way) => Object.keys(way).length === 0))

/**
 * One curl command for an operation, with the example of its body; `media` chooses between JSON and a session file.
 * @param {Entry} entry
 * @param {Api} api
 * @param {string} origin
 */
export function requestSnippet({ path, method, operation }, api, origin, media = 'application/json') {
  const body = resolveRef(operation.requestBody ?? {}, api).content?.[media]
  const required = operation.parameters
    .map((parameter) => resolveRef(parameter, api))
    .filter((parameter) => parameter.in === 'query' && parameter.required)
  const query = required
    .map(({ name, schema = {} }) => `${name}=${encodeURIComponent(String(exampleValue({ schema }, api)))}`)
    .join('&')
  const url = `${origin}${path}${query === '' ? '' : `?${query}`}`
  const lines = [`curl -sS ${/[?{]/.test(url) ? quoted(url) : url}`]
  if (!isOpen(operation.security ?? api.security)) lines.push('-H "x-api-key: $RECAPD_KEY"')
  if (body !== undefined) lines.push(`-H 'content-type: ${media}'`, dataOf(body, media, api))
  if (body === undefined && method !== 'get') lines.push(`-X ${method.toUpperCase()}`)
  return lines.join(' \\\n  ')
}

/**
 * @param {Media} body
 * @param {string} media
 * @param {Api} api
 */
function dataOf(body, media, api) {
  if (media !== 'application/json') return '--data-binary @session.jsonl'
  return `-d ${quoted(JSON.stringify(exampleValue(body, api), null, 2))}`
}
