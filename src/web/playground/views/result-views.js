import { element } from '../../element.js'
import { auditView, warningsView } from './audit-view.js'
import { branchView } from './branch-view.js'
import { callsView } from './calls-view.js'
import { checkView } from './check-view.js'
import { coverageRows } from './coverage-rows.js'
import { coverageView } from './coverage-view.js'
import { contextAfterView, contextView } from './messages-view.js'
import { entryView, outcomeView, promptsView } from './outcome-view.js'
import { problemView } from './problem-view.js'
import { pruneView } from './prune-view.js'
import { rawView } from './raw-view.js'
import { summaryView } from './summary-view.js'
import { tokenBars } from './token-bars.js'

/**
 * @import { Answers, CompactAnswer, EndpointName, Outcome, Row, Told } from '../shapes.js'
 * @param {CompactAnswer} json
 * @param {Told} told
 * @param {readonly Row[]} rows
 */
function compactViews(json, told, rows) {
  const coverage = coverageRows(json, rows)
  const summary = json.entry?.summary ?? json.summary
  return [
    outcomeView(json, told),
    tokenBars(json, coverage),
    summary ? summaryView({ summary, shortSummary: json.entry?.shortSummary, degraded: json.degraded }) : null,
    coverage === null ? null : coverageView(coverage),
    auditView(json.audit),
    promptsView(json.prompts),
    callsView(json),
    entryView(json.entry),
    contextAfterView(json.context?.messages ?? (json.compacted ? json.messages : undefined)),
  ]
}

/**
 * @param {Answers['branch-summary']} json
 * @param {Told} told
 * @param {readonly Row[]} rows
 */
const branchViews = (json, told, rows) => [
  outcomeView(json, told),
  json.entry?.summary ? summaryView({ summary: json.entry.summary, degraded: json.degraded }) : null,
  branchView(json, rows),
  promptsView(json.prompts),
  callsView(json),
  entryView(json.entry),
]

/** @type {Readonly<Record<string, string> & Record<Answers['context']['source'], string>>} */
const SOURCES = {
  pi: 'a pi or omp session',
  'claude-code': 'a Claude Code transcript',
  codex: 'a Codex rollout',
  messages: 'a message list',
}

/**
 * What the service took the input for. Null where it does not say.
 * @param {string | undefined} source
 */
function readAsView(source) {
  if (source === undefined) return null
  return element('p', { className: 'muted read-as' }, `Read as ${SOURCES[source] ?? source}.`)
}

/**
 * @template Answer
 * @typedef {(json: Answer, told: Told, rows: readonly Row[]) => readonly (HTMLElement | null)[]} View
 */
/** @type {{ readonly [Name in EndpointName]: View<Answers[Name]> }} */
const VIEWS = {
  compact: compactViews,
  'branch-summary': branchViews,
  summarize: ({ summary = '', ...json }, told) => [
    outcomeView(json, told),
    summaryView({ ...json, summary }),
    auditView(json.audit),
    callsView(json),
  ],
  check: (json) => [checkView(json)],
  prune: (json, _told, rows) => [pruneView(json, rows)],
  context: (json) => [contextView(json)],
}

/**
 * All panels of one outcome, in reading order. `rows` are the entries or messages that were sent.
 * @param {EndpointName} endpoint
 * @param {Outcome} outcome
 * @param {readonly Row[]} rows
 */
export function resultViews(endpoint, outcome, rows) {
  if (outcome.problem !== undefined) return [problemView(outcome), rawView('Raw JSON', outcome.problem)]
  const { json } = outcome
  const source = 'source' in json ? json.source : undefined
  const warnings = 'warnings' in json ? json.warnings : undefined
  const view = /** @type {View<Answers[EndpointName]>} */ (VIEWS[endpoint])
  const [headline = null, ...rest] = view(json, outcome, rows)
  // What it was read as, and warnings, belong right below the headline.
  const views = [headline, readAsView(source), warningsView(warnings), ...rest, rawView('Raw JSON', json)]
  return views.filter((each) => each !== null)
}
