import { oneLine } from '../text/one-line.ts'
import { sentencesOf } from '../text/sentences.ts'
import { contentWords } from './content-words.ts'
import type { Ledger } from './ledger-value.ts'

export type FactKind =
  | 'request'
  | 'question'
  | 'constraint'
  | 'error'
  | 'decision'
  | 'link'
  | 'file'
  | 'goal'
  | 'command'

/** Something a summary must not lose. `text` is redacted and on one line; `probe` is what is looked for in the summary. */
export interface HardFact {
  readonly kind: FactKind
  readonly text: string
  readonly probe: string
}

// Enough for a long session; a list that grows with the region would crowd the summary out.
const MOST = { constraint: 24, error: 5, decision: 12, link: 10, file: 40, command: 6 } as const
const LENGTH = 600
/** "Keep it" says nothing without its question, and that was answered. */
const LEAST_WORDS = 2
/** A commit is found in the repository; what refers to other places is not. */
const COMMIT = /^[0-9a-f]{7,40}$/

/**
 * What the audit looks up in an answer and puts back (docs/spec/truth.md §9), in the order of their worth (§6): newest request, rules,
 * goal, waiting question, open errors, decisions of the user, links, modified files, changes that must not be repeated blindly.
 */
export function ledgerFacts(held: Ledger): HardFact[] {
  const newest = held.asks.findLast(({ isNewest }) => isNewest)
  const { question, goal } = held
  return [
    ...(newest === undefined ? [] : [fact('request', newest.text)]),
    ...held.constraints.slice(-MOST.constraint).map(({ text }) => fact('constraint', text)),
    ...(goal === null || goal.text === newest?.text ? [] : [fact('goal', firstSentence(goal.text), goal.text)]),
    ...(question === null ? [] : [fact('question', question.text)]),
    ...held.openErrors.slice(-MOST.error).map(({ what, text }) => errorFact(what, text)),
    ...held.userDecisions
      .filter(({ text }) => contentWords(text).size >= LEAST_WORDS)
      .slice(-MOST.decision)
      .map(({ text }) => fact('decision', text)),
    ...mostWorth(held.links.filter(({ text }) => !COMMIT.test(text))).map(({ text }) => fact('link', text)),
    ...held.files.modified.slice(-MOST.file).map(({ path }) => fact('file', path)),
    ...held.changes
      .filter(({ isOnce }) => isOnce)
      .slice(-MOST.command)
      .map(({ text }) => fact('command', text)),
  ]
}

/** The dearest links, in their order. */
function mostWorth(links: Ledger['links']): Ledger['links'] {
  const kept = new Set([...links].sort((one, other) => other.worth - one.worth).slice(0, MOST.link))
  return links.filter((link) => kept.has(link))
}

/** What the user is after; rules beside it are looked up by themselves, and may have been lifted. */
function firstSentence(goal: string): string {
  return sentencesOf(goal)[0] ?? goal
}

/** `line`: how it is stated where more than the probe is needed to understand it. */
function fact(kind: FactKind, probe: string, line = probe): HardFact {
  return { kind, text: oneLine(line, LENGTH), probe: oneLine(probe, LENGTH) }
}

function errorFact(what: string, text: string): HardFact {
  const line = oneLine(text, LENGTH)
  return { kind: 'error', text: what === '' ? line : `\`${oneLine(what, 80)}\`: ${line}`, probe: line }
}
