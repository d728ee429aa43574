import { element } from '../../element.js'
import { count, counted, duration } from '../../format.js'

/** @import { EventData, EventPlan, OnEvent } from '../shapes.js' */

const TICK_MS = 200

/** @param {EventData} data */
function attemptText({ kind, model, outcome, status, durationMs }) {
  const call = kind ? `${kind}: ` : ''
  return `${call}${model} ${outcome}${status ? ` (${status})` : ''}${durationMs === undefined ? '' : `, ${duration(durationMs)}`}`
}

/**
 * Events of a stream as lines of a log; deltas are no lines, they are text.
 * @type {Readonly<Record<string, (data: EventData) => string>>}
 */
const LINES = {
  compaction_start: () => 'Compaction started',
  pruned: ({ count: number = 0, tokensSaved = 0 }) =>
    `Pruned ${counted(number, 'tool result')}, ${count(tokensSaved)} tokens saved`,
  plan: (data) => planText(data.plan ?? data),
  attempt: attemptText,
  reset: ({ kind }) => `${kind ? `${kind}: ` : ''}text so far thrown away, next attempt`,
  summary: ({ kind }) => `${kind ?? 'summary'}: checked`,
}

/** @param {EventPlan} plan */
function planText({ tokens = {}, isSplitTurn }) {
  const { history = 0, turnPrefix = 0, kept = 0 } = tokens
  return `Plan: ${count(history + turnPrefix)} tokens to summarise, ${count(kept)} kept${isSplitTurn ? ', split turn' : ''}`
}

/**
 * What is to be seen while a request runs: a clock, the log of events, and the provisional text of each call. Gives
 * `{node, event(name, data), finish(words)}`.
 * @param {string} label
 */
export function progressView(label) {
  const startedAt = performance.now()
  const clock = element('span', { className: 'clock' }, '0 ms')
  const title = element('span', {}, label)
  const log = element('ol', { className: 'log' })
  const texts = element('div', { className: 'drafts' })
  const summary = element(
    'summary',
    {},
    element('span', { className: 'spinner', aria: { hidden: true } }),
    title,
    ' ',
    clock,
  )
  const node = element('details', { className: 'panel progress', open: true }, summary, log, texts)
  const elapsed = () => duration(performance.now() - startedAt)
  const tick = setInterval(() => {
    clock.textContent = elapsed()
  }, TICK_MS)
  /** @type {Map<string, HTMLElement>} */
  const drafts = new Map()

  /** @param {string} kind */
  function draftOf(kind) {
    const known = drafts.get(kind)
    if (known !== undefined) return known
    const text = element('pre', { className: 'draft' })
    texts.append(element('h3', {}, `${kind} (provisional)`), text)
    drafts.set(kind, text)
    return text
  }

  return {
    node,
    /** @type {OnEvent} */
    event(name, data) {
      const kind = data.kind ?? 'summary'
      if (name === 'delta') return draftOf(kind).append(data.text ?? '')
      if (name === 'reset') drafts.get(kind)?.replaceChildren()
      const text = LINES[name]?.(data) ?? name
      const className = name === 'attempt' && data.outcome !== 'ok' ? 'bad' : ''
      log.append(element('li', { className }, element('span', { className: 'clock' }, elapsed()), text))
    },
    /** @param {string} words */
    finish(words) {
      clearInterval(tick)
      clock.textContent = elapsed()
      title.textContent = words
      node.classList.add('done')
      node.open = false
    },
  }
}
