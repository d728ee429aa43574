import { element, panel } from '../../element.js'
import { count, duration } from '../../format.js'

/** @import { Answers } from '../shapes.js' */

const BLOCKS = {
  cooldown: 'but a recent failure started a cooldown',
  ineffective: 'but the last passes saved too little',
  disabled: 'but the settings switch it off',
}

/** @param {Answers['check']} answer */
function verdictOf({ shouldCompact, reason, blockedBy }) {
  if (shouldCompact) return `Compact now (${reason})`
  if (blockedBy) return `Due${reason ? ` (${reason})` : ''}, ${BLOCKS[blockedBy] ?? `but blocked by ${blockedBy}`}`
  return 'No need to compact yet'
}

/**
 * @param {number} contextTokens
 * @param {number} thresholdTokens
 */
function gauge(contextTokens, thresholdTokens) {
  const scale = Math.max(contextTokens, thresholdTokens, 1)
  const fill = element('span', { className: contextTokens > thresholdTokens ? 'fill over' : 'fill' })
  const mark = element('span', { className: 'threshold' })
  fill.style.setProperty('--share', String(contextTokens / scale))
  mark.style.setProperty('--share', String(thresholdTokens / scale))
  return element('div', { className: 'gauge', aria: { hidden: true } }, fill, mark)
}

/**
 * The answer of /check: the verdict, the context against its threshold, and what the last error was.
 * @param {Answers['check']} json
 */
export function checkView(json) {
  const { contextTokens, thresholdTokens, estimator, lastError } = json
  const parts = [
    gauge(contextTokens, thresholdTokens),
    element(
      'p',
      {},
      element('b', {}, count(contextTokens)),
      ' tokens of context, threshold ',
      element('b', {}, count(thresholdTokens)),
    ),
    element('p', { className: 'muted' }, `Counted by ${estimator}`),
  ]
  if (lastError) {
    const wait = lastError.retryAfterMs ? `, in ${duration(lastError.retryAfterMs)}` : ''
    const kind = lastError.isOverflow ? 'a context overflow' : lastError.class
    const again = lastError.retryable ? `worth another try${wait}` : 'not worth another try'
    parts.push(element('p', {}, `The last error is ${kind}: ${again}.`))
  }
  return panel(verdictOf(json), { className: 'check-result' }, ...parts)
}
