import { element, panel } from '../element.js'
import { count } from '../format.js'
import { fateTotals } from './coverage-rows.js'

const NOT_CONTEXT = new Set(['ignored'])

/** What the tokens before are made of: the fates of the rows where there is a coverage, else the plan's three sums. */
function segmentsBefore(json, coverage) {
  if (coverage !== null) {
    return fateTotals(coverage.rows)
      .filter(({ fate, tokens }) => tokens > 0 && !NOT_CONTEXT.has(fate))
      .map(({ fate, tokens }) => ({ fate, label: fate, tokens }))
  }
  const { history = 0, turnPrefix = 0, kept = 0 } = json.plan?.tokens ?? {}
  const parts = [
    { fate: 'summarized', label: 'summarized', tokens: history },
    { fate: 'turn-prefix', label: 'turn-prefix', tokens: turnPrefix },
    { fate: 'kept', label: 'kept', tokens: kept },
  ]
  return parts.filter(({ tokens }) => tokens > 0)
}

/** After: what is kept, and for the rest the summary (with the notices of pruned rows). */
function segmentsAfter(before, total) {
  const keptBefore = before.filter(({ fate }) => fate === 'kept').reduce((sum, { tokens }) => sum + tokens, 0)
  const kept = Math.min(keptBefore, total)
  const parts = [
    { fate: 'new', label: 'summary and notices', tokens: total - kept },
    { fate: 'kept', label: 'kept', tokens: kept },
  ]
  return parts.filter(({ tokens }) => tokens > 0)
}

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

/** Two bars to one scale. Null when the answer has no progress to show. */
export function tokenBars(json, coverage) {
  const { tokensBefore, tokensAfter, madeProgress } = json.progress ?? {}
  if (typeof tokensBefore !== 'number') return null
  const before = segmentsBefore(json, coverage)
  const bars = [barOf('Before', tokensBefore, before, Math.max(tokensBefore, tokensAfter ?? 0))]
  if (typeof tokensAfter === 'number' && json.compacted) {
    bars.push(barOf('After', tokensAfter, segmentsAfter(before, tokensAfter), Math.max(tokensBefore, tokensAfter)))
  }
  if (json.compacted && madeProgress === false) {
    bars.push(element('p', { className: 'warn-text' }, 'Too little was saved to count as progress.'))
  }
  return panel('Tokens', { className: 'tokens' }, ...bars)
}
