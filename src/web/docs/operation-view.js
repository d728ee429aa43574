import { copyButton } from '../copy-button.js'
import { element, table } from '../element.js'
import { exampleValue } from './example-value.js'
import { codesOf } from './operations.js'
import { inlineProse, prose } from './prose.js'
import { requestSnippet } from './request-snippet.js'
import { resolveRef } from './resolve-ref.js'
import { schemaView } from './schema-view.js'
import { typeLabel } from './type-label.js'
/** @import { Api, Body, Entry, Media, Operation, Parameter } from './api-shapes.js' */

/**
 * One endpoint: what it is for, what it takes, what it answers, how to call it.
 * @param {Entry} entry
 * @param {Api} api
 */
export function operationView(entry, api) {
  const { path, method, anchor, operation } = entry
  const title = element(
    'h3',
    { id: anchor },
    element('span', { className: `method ${method}` }, method.toUpperCase()),
    element('code', {}, path),
    element('a', { className: 'anchor', href: `#${anchor}`, aria: { label: `Link to ${method} ${path}` } }, '#'),
  )
  const left = element(
    'div',
    { className: 'words' },
    ...parametersView(operation, api),
    ...requestView(operation, api),
    ...responsesView(operation, api),
  )
  const right = element('div', { className: 'samples' }, ...snippetsView(entry, api), ...answerSample(operation, api))
  const summary = operation.summary
    ? [element('p', { className: 'summary-line' }, ...inlineProse(operation.summary))]
    : []
  return element(
    'section',
    { className: 'operation' },
    title,
    ...summary,
    ...prose(operation.description),
    element('div', { className: 'columns' }, left, right),
  )
}

/**
 * @param {Entry['operation']} operation
 * @param {Api} api
 */
function parametersView({ parameters }, api) {
  if (parameters.length === 0) return []
  const rows = parameters.map((parameter) => {
    const { name, in: place, required, description = '', schema = {} } = resolveRef(parameter, api)
    const type = `${typeLabel(schema, api)}${required ? ', required' : ''}`
    return [element('code', {}, name), place ?? '', type, element('span', {}, ...inlineProse(description))]
  })
  return [element('h4', {}, 'Parameters'), table('Parameters', ['Name', 'In', 'Type', 'Meaning'], rows)]
}

/**
 * @param {Operation} operation
 * @param {Api} api
 */
function requestView({ requestBody }, api) {
  if (requestBody === undefined) return []
  const { content = {} } = resolveRef(requestBody, api)
  return [
    element('h4', {}, 'Request body'),
    ...Object.entries(content).map(([media, body], at) => mediaView(media, body, api, at === 0)),
  ]
}

/**
 * @param {string} media
 * @param {Media} body
 * @param {Api} api
 * @param {boolean} open
 */
function mediaView(media, { schema = {} }, api, open) {
  const about = resolveRef(schema, api).description
  return element(
    'details',
    { className: 'media', open },
    element('summary', {}, element('code', {}, media)),
    ...prose(about),
    schemaView(schema, api),
  )
}

/**
 * @param {Operation} operation
 * @param {Api} api
 */
function responsesView({ responses = {} }, api) {
  const views = Object.entries(responses).map(([status, response]) =>
    responseView(status, resolveRef(response, api), api),
  )
  return views.length === 0 ? [] : [element('h4', {}, 'Responses'), ...views]
}

/**
 * @param {string} status
 * @param {Body} response
 * @param {Api} api
 */
function responseView(status, { description = '', headers = {}, content = {} }, api) {
  const good = status.startsWith('2')
  const codes = codesOf(description)
  const words =
    codes.length === 0
      ? inlineProse(description)
      : codes.map(({ code }) => element('a', { className: 'code-link', href: `#error-${code}` }, code))
  const media = Object.entries(content).map(([type, body], at) => mediaView(type, body, api, good && at === 0))
  const summary = element(
    'summary',
    {},
    element('span', { className: good ? 'status good' : 'status bad' }, status),
    ' ',
    ...words,
  )
  return element('details', { className: 'response', open: good }, summary, ...headersView(headers, api), ...media)
}

/**
 * @param {Readonly<Record<string, Parameter>>} headers
 * @param {Api} api
 */
function headersView(headers, api) {
  const names = Object.entries(headers)
  if (names.length === 0) return []
  const items = names.map(([name, header]) => {
    const { description = '', schema = {} } = resolveRef(header, api)
    const values = schema.enum === undefined ? '' : ` ${schema.enum.join(', ')}`
    return element('li', {}, element('code', {}, name), ` ${description}${values}`)
  })
  return [element('ul', { className: 'plain headers' }, ...items)]
}

/**
 * @param {Entry} entry
 * @param {Api} api
 */
function snippetsView(entry, api) {
  const { content = {} } = resolveRef(entry.operation.requestBody ?? {}, api)
  const kinds = Object.keys(content).length === 0 ? [undefined] : Object.keys(content)
  return kinds.map((media) => {
    const text = requestSnippet(entry, api, location.origin, media)
    return sample(media === 'application/x-ndjson' ? 'curl, with a session file' : 'curl', text)
  })
}

/**
 * @param {Operation} operation
 * @param {Api} api
 */
function answerSample({ responses = {} }, api) {
  const body = resolveRef(responses['200'] ?? {}, api).content?.['application/json']
  if (body === undefined) return []
  return [sample('Answer', JSON.stringify(exampleValue(body, api), null, 2))]
}

/**
 * @param {string} title
 * @param {string} text
 */
function sample(title, text) {
  const head = element(
    'div',
    { className: 'sample-head' },
    title,
    copyButton('Copy', () => text),
  )
  return element('div', { className: 'sample' }, head, element('pre', { tabIndex: 0 }, element('code', {}, text)))
}
