import { copyButton } from '../../copy-button.js'
import { element, panel } from '../../element.js'
import { duration } from '../../format.js'
import { attemptsTable } from './calls-view.js'

/** @import { AnyProblem, Refused, Told } from '../shapes.js' */

/**
 * What a person can do about it on this page; everything else the `detail` says.
 * @type {Readonly<Record<string, string>>}
 */
const ADVICE = {
  unauthorized: 'Put a valid key into the Key field on this page.',
  'unknown-model': 'Empty the Model field for the default chain.',
  'unknown-leaf': 'Empty the Leaf id field to take the last entry.',
  'nothing-fits':
    'Use a /compact on the session, or put the text into a <conversation> block so that it can be folded.',
  unreachable: 'Run it again when the service answers /livez.',
}

/**
 * An error answer (RFC 9457): what, why, which request.
 * @param {Refused & Told} outcome
 */
export function problemView({ problem, requestId, status }) {
  const { title, detail, code, retryable, retryAfterMs, errors = [], attempts = [] } = problem
  const id = requestId ?? String(problem.instance ?? '').replace('urn:request:', '')
  /** @type {readonly (readonly [string, string])[]} */
  const all = [
    ['Status', String(problem.status ?? status ?? '')],
    ['Code', code ?? ''],
    ['Request id', id],
    ['Again?', retryText(retryable, retryAfterMs)],
  ]
  const facts = all.filter(([, value]) => value !== '')
  const list = facts.flatMap(([name, value]) => [
    element('dt', {}, name),
    element('dd', {}, element('code', {}, value)),
  ])
  const words = ADVICE[code ?? '']
  const advice = words === undefined ? [] : [element('p', { className: 'advice' }, words)]
  const actions = id === '' ? [] : [copyButton('Copy request id', () => id)]
  return panel(
    title ?? 'The request failed',
    { className: 'problem', actions },
    element('p', { className: 'detail' }, detail ?? 'The answer says no more.'),
    ...advice,
    element('dl', { className: 'facts' }, ...list),
    ...faultsOf(errors),
    ...(attempts.length === 0 ? [] : [element('h3', {}, 'How each model did'), attemptsTable(attempts)]),
  )
}

/**
 * @param {boolean | undefined} retryable
 * @param {number | undefined} retryAfterMs
 */
function retryText(retryable, retryAfterMs) {
  if (retryable === undefined) return ''
  if (!retryable) return 'no, change the request or the set-up'
  return retryAfterMs === undefined ? 'yes, later' : `yes, in ${duration(retryAfterMs)}`
}

/** @param {NonNullable<AnyProblem['errors']>} errors */
function faultsOf(errors) {
  if (errors.length === 0) return []
  const items = errors.map(({ path, message }) =>
    element('li', {}, element('code', {}, path === '' ? '(body)' : path), ` ${message}`),
  )
  return [element('h3', {}, 'Faults'), element('ul', { className: 'plain' }, ...items)]
}
