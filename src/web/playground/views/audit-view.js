import { element, panel } from '../../element.js'
import { count } from '../../format.js'

/**
 * @import { CompactAnswer, SummarizeAnswer } from '../shapes.js'
 * @param {readonly (readonly (Node | string)[])[]} items
 */
const listOf = (items) => element('ul', { className: 'plain' }, ...items.map((item) => element('li', {}, ...item)))

/**
 * What the audit found: facts the answer held, facts put back, paths nobody had named. Null without an audit.
 * @param {CompactAnswer['audit'] | SummarizeAnswer['audit']} audit
 */
export function auditView(audit) {
  if (audit === undefined) return null
  const { facts = 0, kept = 0, restored = [], unsupportedPaths = [] } = audit
  /** @type {HTMLElement[]} */
  const parts = [
    element(
      'p',
      {},
      element('b', {}, `${count(kept)} of ${count(facts)}`),
      ' hard facts were in the answer by itself.',
    ),
  ]
  if (restored.length > 0) {
    parts.push(
      element('h3', {}, `Put back (${restored.length})`),
      listOf(restored.map(({ kind, text }) => [element('span', { className: 'badge' }, kind), ' ', text])),
    )
  }
  if (unsupportedPaths.length > 0) {
    parts.push(
      element('h3', { className: 'warn-text' }, `Paths found nowhere in the source (${unsupportedPaths.length})`),
      listOf(unsupportedPaths.map((path) => [element('code', {}, path)])),
    )
  }
  return panel('Audit', { className: 'audit' }, ...parts)
}

/**
 * Warnings of the service, one a line. Null without any.
 * @param {readonly string[] | undefined} warnings
 */
export function warningsView(warnings) {
  if (warnings === undefined || warnings.length === 0) return null
  return panel('Warnings', { className: 'warnings' }, listOf(warnings.map((text) => [text])))
}
