import { copyButton } from '../../copy-button.js'
import { element, panel } from '../../element.js'

const HEADING = /^#{1,6} /
const TAG = /^<\/?[a-z-]+>$/

/**
 * Summary text as it is, line for line; headings and file tags only look different.
 * @param {string} text
 */
export function summaryText(text) {
  const lines = text.split('\n').map((line) => {
    const className = HEADING.test(line) ? 'heading' : TAG.test(line.trim()) ? 'tag' : ''
    return element('span', { className }, `${line}\n`)
  })
  return element('div', { className: 'summary-text' }, ...lines)
}

/**
 * The summary with its short form, and whether a language model made it.
 * @param {{ summary: string, shortSummary?: string, degraded?: boolean }} answer
 */
export function summaryView({ summary, shortSummary, degraded }) {
  const badge = degraded ? [element('p', { className: 'badge warn' }, 'Made without a language model')] : []
  const short = shortSummary ? [element('p', { className: 'short' }, shortSummary)] : []
  const actions = [copyButton('Copy summary', () => summary)]
  return panel('Summary', { className: 'summary', actions }, ...badge, ...short, summaryText(summary))
}
