import type { Conversation, Part, Turn } from '../conversation/conversation.ts'
import { decisionLine } from '../ledger/decisions/decisions.ts'
import { ledger } from '../ledger/ledger.ts'
import { cutText } from '../text/cut-text.ts'
import { redact } from '../text/redact.ts'
import { demotedLine } from './plan/demote.ts'
import { collapsedLine } from './plan/focus.ts'
import { collectPaths } from './tool-facts.ts'

export interface FallbackInput {
  readonly conversation: Conversation
  /** Messages that the summary replaces. */
  readonly count: number
  readonly previousSummary: string | null
  /** Why there is no model's summary: one of our own words, never a provider's text. */
  readonly reason: string
}

/** Stands in the task section when no user speaks in the rows: nothing is invented (docs/spec/lists.md §9.3). */
export const NO_USER = '(no user request in these turns)'

const TOTAL_CHARS = 8000
const PREVIOUS_CHARS = 3000
const ASK_CHARS = 600
const TURN_CHARS = 700
// Redacted before it is cut: more than is shown is looked at, so that no secret is split at the edge.
const SCANNED_CHARS = 64_000
const LAST_TURNS = 8
const MOST_ACTIONS = 12
const MOST_NAMES = 6
const MOST_DECISIONS = 8
const LINE_CHARS = 500
const CUT_NOTE = '\n\n[cut at 8000 characters]'
const NOT_KNOWN = '- (not known: no model read these turns)'

/**
 * A summary made without any model, from the rows alone, of what the ledger holds (docs/spec/truth.md §1): same input, same text (docs/spec/lists.md §12). Same headings as
 * `list-summary`, redacted, at most 8000 characters.
 */
export function fallbackSummary({ conversation, count, previousSummary, reason }: FallbackInput): string {
  const found = collect(conversation)
  const held = ledger(conversation, { summary: previousSummary ?? '', durable: null })
  const told = (lines: readonly string[]): string =>
    bullets(lines.map((line) => collapsedLine(redact(line), LINE_CHARS)))
  const paths = collectPaths(conversation)
  const actions = [...found.answers, ...found.results].slice(0, MOST_ACTIONS)
  const earlier =
    previousSummary === null ? '' : `\nEarlier summary: ${cutText(redact(previousSummary), PREVIOUS_CHARS)}`
  const sections: readonly (readonly [string, string])[] = [
    ['Historical Task Snapshot', found.asks.at(-1) ?? NO_USER],
    ['Goal', `Recovered locally, without a model, from the turns that were removed.${earlier}`],
    ['Constraints & Preferences', told(held.constraints.map(({ text: rule }) => rule))],
    ['Completed Actions', numbered(actions)],
    ['Active State', NOT_KNOWN],
    ['Historical In-Progress', NOT_KNOWN],
    ['Blocked', told(held.openErrors.map(({ what, text: line }) => `\`${what}\`: ${line}`))],
    ['Key Decisions', told(held.decisions.map(decisionLine).slice(-MOST_DECISIONS))],
    ['Resolved Questions', NOT_KNOWN],
    ['Historical Pending Asks', bullets(found.asks.slice(-LAST_TURNS))],
    ['Relevant Files', bullets(paths)],
    ['Historical Remaining Work', told(held.openSteps.map(({ text: step }) => step))],
    [
      'Critical Context',
      `- ${count} messages were removed; no model summary: ${reason}\n- Last removed turns:\n${found.turns.join('\n')}`,
    ],
  ]
  const text = redact(sections.map(([heading, body]) => `## ${heading}\n${body}`).join('\n\n'))
  return text.length <= TOTAL_CHARS ? text : cutText(text, TOTAL_CHARS - CUT_NOTE.length) + CUT_NOTE
}

interface Found {
  readonly asks: string[]
  readonly answers: string[]
  readonly results: string[]
  readonly turns: string[]
}

function collect({ turns }: Conversation): Found {
  const found: Found = { asks: [], answers: [], results: [], turns: [] }
  for (const turn of turns) {
    if (turn.speaker === 'user') {
      const words = wordsOf(turn)
      if (words !== '') found.asks.push(shortAsk(words))
    }
    if (turn.speaker === 'assistant' && found.answers.length < MOST_ACTIONS) found.answers.push(...answerAction(turn))
    for (const part of turn.parts) {
      if (part.kind !== 'result' || turn.speaker !== 'tool') continue
      if (found.results.length < MOST_ACTIONS) found.results.push(demotedLine(part.call, part.text))
    }
  }
  found.turns.push(...turns.slice(-LAST_TURNS).map(turnLine))
  return found
}

function wordsOf({ parts }: Turn): string {
  return parts.flatMap((part) => (part.kind === 'words' ? [part.text] : [])).join('\n')
}

const namesIn = (parts: readonly Part[]): string[] => parts.flatMap((part) => (part.kind === 'call' ? [part.name] : []))

function answerAction(turn: Turn): string[] {
  const names = namesIn(turn.parts)
  if (names.length > 0)
    return [`called ${names.slice(0, MOST_NAMES).join(', ')}${names.length > MOST_NAMES ? ' …' : ''}`]
  const line = collapsedLine(redact(wordsOf(turn).slice(0, SCANNED_CHARS)), 200)
  return line === '' ? [] : [line]
}

const SPEAKERS: Readonly<Record<Turn['speaker'], string>> = {
  user: 'USER',
  assistant: 'ASSISTANT',
  tool: 'TOOL',
  machine: 'INTERNAL',
}

function turnLine({ speaker, parts }: Turn): string {
  const names = namesIn(parts)
  const texts = parts.flatMap((part) => ('text' in part && part.kind !== 'thinking' ? [part.text] : []))
  const tools = names.length === 0 ? '' : `[${names.slice(0, MOST_NAMES).join(', ')}] `
  return `${SPEAKERS[speaker]}: ${tools}${collapsedLine(redact(texts.join('\n').slice(0, SCANNED_CHARS)), TURN_CHARS)}`
}

/** Long requests keep their beginning and their end. */
function shortAsk(text: string): string {
  const ask = redact(text.trim())
  if (ask.length <= ASK_CHARS) return ask
  return `${cutText(ask, 420)} ... ${ask.slice(-160)}`.toWellFormed()
}

function bullets(lines: readonly string[]): string {
  return lines.length === 0 ? '- (none)' : lines.map((line) => `- ${line}`).join('\n')
}

function numbered(lines: readonly string[]): string {
  return lines.length === 0 ? '- (none)' : lines.map((line, at) => `${at + 1}. ${line}`).join('\n')
}
