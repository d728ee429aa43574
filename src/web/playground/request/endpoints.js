import { ENDPOINT_TABLE } from './endpoint-table.js'
/** @import { EndpointName, Kind } from '../shapes.js' */

/**
 * The endpoints that can be tried here: their row of the table, which inputs they take, and the settings that matter to them
 * (ids of fields in playground.html).
 * @type {Readonly<Record<EndpointName, { readonly path: string, readonly streams: boolean, readonly takes: readonly Kind[], readonly says: string, readonly fields: readonly string[] }>>}
 */
export const ENDPOINTS = {
  compact: {
    ...ENDPOINT_TABLE.compact,
    takes: ['session', 'transcript', 'messages'],
    says: 'Folds the older part into one summary and keeps the newest part as it is.',
    fields: [
      'contextWindow',
      'maxTokens',
      'keepRecentTokens',
      'protectFirst',
      'protectLast',
      'reserveTokens',
      'reason',
      'model',
      'customInstructions',
      'onFailure',
      'prune',
      'protectTokens',
      'minimumSavings',
      'leafId',
      'dryRun',
    ],
  },
  summarize: {
    ...ENDPOINT_TABLE.summarize,
    takes: ['text', 'prompt'],
    says: 'One prompt in, one checked summary out: the target of compaction.remoteEndpoint.',
    fields: ['model', 'maxTokens', 'systemPrompt'],
  },
  'branch-summary': {
    ...ENDPOINT_TABLE['branch-summary'],
    takes: ['session'],
    says: 'Summarises the branch an agent leaves when it jumps elsewhere in the tree.',
    fields: ['oldLeafId', 'targetId', 'contextWindow', 'reserveTokens', 'model', 'customInstructions', 'dryRun'],
  },
  check: {
    ...ENDPOINT_TABLE.check,
    takes: ['session', 'transcript', 'messages'],
    says: 'Is it time to compact? No model is asked.',
    fields: ['contextWindow', 'keepRecentTokens', 'reserveTokens', 'lastError', 'leafId'],
  },
  prune: {
    ...ENDPOINT_TABLE.prune,
    takes: ['session', 'transcript', 'messages'],
    says: 'Which old tool output could go? No model is asked.',
    fields: ['protectTokens', 'minimumSavings', 'leafId'],
  },
  context: {
    ...ENDPOINT_TABLE.context,
    takes: ['session', 'transcript', 'messages'],
    says: 'The messages a model would be sent, rebuilt from the file. No model is asked.',
    fields: ['format', 'leafId'],
  },
}

export const ENDPOINT_NAMES = /** @type {readonly EndpointName[]} */ (Object.keys(ENDPOINTS))

const NAMES = {
  session: 'a session file',
  transcript: 'a file of another agent',
  messages: 'a message list',
  prompt: 'a /summarize body',
  text: 'plain text',
  empty: 'nothing yet',
}

/**
 * The endpoint to choose for an input when the one chosen does not take it.
 * @param {EndpointName} chosen
 * @param {Kind} kind
 * @returns {EndpointName}
 */
export function fittingEndpoint(chosen, kind) {
  if (kind === 'empty' || ENDPOINTS[chosen].takes.includes(kind)) return chosen
  return ENDPOINT_NAMES.find((name) => ENDPOINTS[name].takes.includes(kind)) ?? chosen
}

/**
 * Why this endpoint cannot run on this input, or null.
 * @param {EndpointName} chosen
 * @param {Kind} kind
 */
export function misfit(chosen, kind) {
  const { path, takes } = ENDPOINTS[chosen]
  if (kind === 'empty') return 'Paste or drop a session, a message list or a text first, or try the example.'
  if (takes.includes(kind)) return null
  return `${path} takes ${takes.map((name) => NAMES[name]).join(' or ')}; this is ${NAMES[kind]}.`
}

const SESSION_FIELDS = ['keepRecentTokens', 'reserveTokens', 'leafId']
/** What limits the pruning of a session; a list has limits of its own where it is compacted. */
const PRUNE_FIELDS = ['protectTokens', 'minimumSavings']
const LIST_FIELDS = ['protectFirst', 'protectLast']

/**
 * Settings that matter to this endpoint and this kind of input: a list has no leaf, a session no protected head.
 * @param {EndpointName} endpoint
 * @param {Kind} kind
 */
export function fieldsFor(endpoint, kind) {
  const isList = kind === 'messages' || kind === 'transcript'
  const foreign = !isList ? LIST_FIELDS : endpoint === 'prune' ? SESSION_FIELDS : [...SESSION_FIELDS, ...PRUNE_FIELDS]
  return ENDPOINTS[endpoint].fields.filter((name) => !foreign.includes(name))
}
