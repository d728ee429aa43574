import { element, panel } from '../../element.js'
import { count } from '../../format.js'
import { fateTotals } from './coverage-rows.js'

/** @import { CompactAnswer, Coverage } from '../shapes.js' */

/** @typedef {{ readonly fate: string, readonly label: string, readonly tokens: number }} Segment */

/** Other branches, and rows that live on only in the previous summary: none of them is sent to a model. */
const NOT_CONTEXT = new Set(['ignored', 'carried'])

/** The rows are estimates; a difference below this share of the total is rounding, not the previous summary. */
const ROUNDING = 0.02

/**
 * What the tokens before are made of: the fates of the rows where there is a coverage, else the plan's three sums.
 * @param {CompactAnswer} json
 * @param {Coverage | null} coverage
 */
function segmentsBefore(json, coverage) {
  const { history, turnPrefix, kept } = json.plan?.tokens ?? { history: 0, turnPrefix: 0, kept: 0 }
  const sums =
    coverage === null
      ? Object.entries({ summarized: history, 'turn-prefix': turnPrefix, kept }).map(([fate, tokens]) => ({
          fate,
          tokens,
        }))
      : fateTotals(coverage.rows)
  const parts = sums
    .filter(({ fate, tokens }) => tokens > 0 && !NOT_CONTEXT.has(fate))
    .map(({ fate, tokens }) => ({ fate, label: fate, tokens }))
  const total = json.progress?.tokensBefore ?? 0
  const rest = total - parts.reduce((sum, { tokens }) => sum + tokens, 0)
  if (parts.length > 0 && rest > total * ROUNDING)
    parts.unshift({ fate: 'carried', label: 'previous summary', tokens: rest })
  return parts
}

/**
 * After: what is kept, and for the rest the summary (with the notices of pruned rows).
 * @param {readonly Segment[]} before
 * @param {number} total
 */
function segmentsAfter(before, total) {
  const keptBefore = before.filter(({ fate }) => fate === 'kept').reduce((sum, { tokens }) => sum + tokens, 0)
  const kept = Math.min(keptBefore, total)
  const parts = [
    { fate: 'new', label: 'summary and notices', tokens: total - kept },
    { fate: 'kept', label: 'kept', tokens: kept },
  ]
  return parts.filter(({ tokens }) => tokens > 0)
}

/**
 * @param {string} name
 * @param {number} total
 * @param {readonly Segment[]} segments
 * @param {number} scale
 */
function barOf(name, total, segments, scale) {
  const parts = segments.map(({ fate, label, tokens }) => {
    const part = element('span', { className: `fate-${fate}`, title: `${label}: ${count(tokens)} tokens` })
    part.style.flexGrow = String(tokens)
    return part
  })
  const bar = element('div', { className: 'stack', aria: { hidden: true } }, ...parts)
  bar.style.setProperty('--share', String(scale > 0 ? total / scale : 0))
  const words = segments.map(({ label, tokens }) => `${label} ${count(tokens)}`).join(' \u00b7 ')
  return element(
    'div',
    { className: 'token-bar' },
    element(
      'div',
      { className: 'token-head' },
      element('b', {}, name),
      element('span', { className: 'total' }, `${count(total)} tokens`),
    ),
    bar,
    element('p', { className: 'muted' }, words),
  )
}

/**
 * Two bars to one scale. Null when the answer has no progress to show.
 * @param {CompactAnswer} json
 * @param {Coverage | null} coverage
 */
export function tokenBars(json, coverage) {
  if (json.progress === undefined) return null
  const { tokensBefore, tokensAfter, madeProgress } = json.progress
  const before = segmentsBefore(json, coverage)
  const bars = [barOf('Before', tokensBefore, before, Math.max(tokensBefore, tokensAfter))]
  if (json.compacted) {
    bars.push(barOf('After', tokensAfter, segmentsAfter(before, tokensAfter), Math.max(tokensBefore, tokensAfter)))
  }
  if (json.compacted && madeProgress === false) {
    bars.push(element('p', { className: 'warn-text' }, 'Too little was saved to count as progress.'))
  }
  return panel('Tokens', { className: 'tokens' }, ...bars)
}
