import { element, table } from '../element.js'
import { errorCodes } from './operations.js'

/** @import { Api } from './api-shapes.js' */

const MANY = 5

/**
 * @param {readonly string[]} paths
 * @param {number} total
 */
function whereOf(paths, total) {
  if (paths.length > MANY) return paths.length === total ? 'everywhere' : `${paths.length} endpoints`
  return paths.join(', ')
}

/**
 * All error codes in one table; each row is an anchor that responses and problem answers can point to.
 * @param {Api} api
 */
export function errorTable(api) {
  const codes = errorCodes(api)
  if (codes.length === 0) return null
  const total = Object.keys(api.paths ?? {}).length
  const rows = codes.map(({ code, status, title, paths }) => [
    element('span', { className: 'status bad' }, status),
    element('a', { id: `error-${code}`, href: `/problems/${code}` }, element('code', {}, code)),
    title,
    element('span', { className: 'muted' }, whereOf(paths, total)),
  ])
  const words = 'Every failure is application/problem+json (RFC 9457) with these codes; detail says what would mend it.'
  return element(
    'section',
    { className: 'group error-codes' },
    element('h2', { id: 'errors' }, 'Error codes'),
    element('p', { className: 'muted' }, words),
    table('Error codes', ['Status', 'Code', 'Meaning', 'Answered by'], rows),
  )
}
