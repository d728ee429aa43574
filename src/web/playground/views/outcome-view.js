import { copyButton } from '../../copy-button.js'
import { element, panel } from '../../element.js'
import { change, count, counted, duration } from '../../format.js'

/** @import { CompactAnswer, Told, WorkAnswer } from '../shapes.js' */

/**
 * The words of `compacted: false` (docs/spec/contract.md §3a), as sentences.
 * @type {Readonly<Record<string, string> & Record<NonNullable<CompactAnswer['reason']>, string>>}
 */
const REASONS = {
  'already-compacted': 'The last entry is a compaction already.',
  'nothing-to-compact':
    'Everything live fits into the newest part that is kept. Lower "Keep recent tokens" to fold more.',
  'cancelled-by-hook': 'A hook of this service cancelled it.',
  disabled: 'The settings switch automatic compaction off.',
  'below-threshold': 'The context is still below its threshold.',
  cooldown: 'A recent failure started a cooldown.',
  ineffective: 'The last passes saved too little to try again.',
  inflated: 'The answer was larger than what it would replace, so it was thrown away.',
  'dry-run': 'A dry run: this is what would be done. No model was asked.',
}

/** @param {WorkAnswer} json */
function headlineOf(json) {
  const { compacted, summarized, progress } = json
  if (compacted) {
    return `${count(progress?.tokensBefore)} \u2192 ${count(progress?.tokensAfter)} tokens (${change(progress?.tokensBefore, progress?.tokensAfter)})`
  }
  if (compacted === false) return json.reason === 'dry-run' ? 'The plan' : 'Nothing was changed'
  if (summarized === true) return 'The branch has its summary'
  if (summarized === false) return json.cancelled ? 'The jump was cancelled' : 'No summary was needed'
  return 'Summarised'
}

/** @param {string} text */
const badge = (text, kind = '') => element('span', { className: `badge ${kind}`.trim() }, text)

/**
 * @param {WorkAnswer} json
 * @param {Told} told
 */
function badgesOf(json, { cache }) {
  return [
    ...(json.method ? [badge(`method: ${json.method}`)] : []),
    ...(json.plan?.isSplitTurn ? [badge('split turn')] : []),
    ...(json.degraded ? [badge('degraded', 'warn')] : []),
    ...(json.fallbackUsed ? [badge('fallback used', 'warn')] : []),
    ...(json.progress?.madeProgress === false && json.compacted ? [badge('no progress', 'warn')] : []),
    ...(cache ? [badge(`cache: ${cache}`)] : []),
  ]
}

/** @param {WorkAnswer['next']} next */
function followUp(next) {
  if (!next) return []
  const parts = []
  if (next.willRetry) parts.push('The agent retries its failed request.')
  if (next.dropEntryId) parts.push(`It drops the failed answer ${next.dropEntryId} first.`)
  if (next.continuePrompt) parts.push(`The agent goes on with: \u201c${next.continuePrompt}\u201d`)
  if (next.resetSession) parts.push('No progress was made: the agent should start a new session.')
  return parts
}

/**
 * The first thing to read: what happened, in how long, and what the agent does next.
 * @param {WorkAnswer} json
 * @param {Told} told
 */
export function outcomeView(json, told) {
  const sentences = [
    ...(json.compacted === false ? [REASONS[json.reason ?? ''] ?? String(json.reason ?? '')] : []),
    ...followUp(json.next),
  ]
  if (json.pruned !== undefined && json.pruned.count > 0)
    sentences.push(
      `${counted(json.pruned.count, 'tool result')} pruned, ${count(json.pruned.tokensSaved)} tokens saved.`,
    )
  if (typeof json.editorText === 'string') sentences.push(`Back in the editor: \u201c${json.editorText}\u201d`)
  const meta = `${duration(told.durationMs)}${told.requestId ? ` \u00b7 request ${told.requestId}` : ''}`
  return element(
    'section',
    { className: 'panel outcome' },
    element('h2', {}, headlineOf(json)),
    element('p', { className: 'badges' }, ...badgesOf(json, told)),
    ...sentences.map((text) => element('p', {}, text)),
    element('p', { className: 'muted meta' }, meta),
  )
}

/**
 * The prompts a dry run would have sent. Null without any.
 * @param {WorkAnswer['prompts']} prompts
 */
export function promptsView(prompts) {
  if (prompts === undefined || prompts.length === 0) return null
  const items = prompts.map(({ kind, tokens, model, estimatedCostUsd }) =>
    element(
      'li',
      {},
      badge(kind),
      ` ${count(tokens)} tokens to ${model ?? 'the default chain'}${estimatedCostUsd === undefined ? '' : `, about $${estimatedCostUsd}`}`,
    ),
  )
  return panel('Prompts that would be sent', {}, element('ul', { className: 'plain' }, ...items))
}

/**
 * The entry as the agent appends it to its file. Null where there is none.
 * @param {{ readonly summary: string, readonly shortSummary?: string } | null | undefined} entry
 */
export function entryView(entry) {
  if (!entry) return null
  const { summary: _shown, shortSummary: _short, ...rest } = entry
  const actions = [copyButton('Copy as JSONL line', () => JSON.stringify(entry))]
  const note = element(
    'p',
    { className: 'muted' },
    'Append this line to the session file; the summary is left out here, not in the copy.',
  )
  return panel('Entry to append', { actions }, note, element('pre', {}, JSON.stringify(rest, null, 2)))
}
