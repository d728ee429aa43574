import type { Conversation } from '../conversation/conversation.ts'
import { contentWords, shareOf } from '../ledger/content-words.ts'
import { informativeLine } from '../ledger/errors/informative-line.ts'
import type { Ledger } from '../ledger/ledger-value.ts'
import { parseSummary, type SummaryItem } from '../ledger/previous/parse-summary.ts'
import type { SectionKind } from '../ledger/previous/section-kind.ts'

/** How well a summary tells what holds (docs/spec/faces.md §5); shares from 0 to 1. */
export interface TruthScore {
  /** recall × (1 − stale share) */
  readonly truth: number
  /** Mean over the kinds of things that the region has: newest request, rules, decisions, links, outcomes, open errors and steps, files. */
  readonly recall: number
  /** Of the lines that say what is open, those that name something settled, or a question that nobody waits for. */
  readonly staleShare: number
  readonly stateLines: number
}

/** A line of the summary that is about the same thing holds this much of its words. */
const SAME = 0.6
/** A request or an outcome may be told in two or three neighbouring lines. */
const NEIGHBORS = 3
const STATE: readonly SectionKind[] = ['in-progress', 'blocked', 'next-steps', 'pending', 'task']
const REPORTS_DONE =
  /\b(?:done|fixed|finished|completed|resolved|passes|passed|no longer|was already|merged)\b|\[[xX]\]/
const WAITS = /\b(?:waits?|waiting|awaits?|awaiting|unanswered)\b/i

/**
 * Compares a summary with what the ledger says about the conversation it summarizes. Content words are compared, not
 * strings: what is said in other words is said.
 */
export function truthScore(summary: string, conversation: Conversation, ledger: Ledger): TruthScore {
  const entries = parseSummary(summary)
  const recalls = Object.values(wantedOf(ledger))
    .filter((texts) => texts.length > 0)
    .map((texts) => texts.filter(isToldIn(entries, summary)).length / texts.length)
  const recall = recalls.length === 0 ? 1 : recalls.reduce((sum, share) => sum + share, 0) / recalls.length
  const state = entries.filter(({ kind }) => STATE.includes(kind))
  const isStale = staleTest(conversation, ledger)
  const staleShare = state.length === 0 ? 0 : state.filter(({ text }) => isStale(text)).length / state.length
  return { truth: recall * (1 - staleShare), recall, staleShare, stateLines: state.length }
}

/** What a summary has to tell, by kind. */
function wantedOf(ledger: Ledger): Readonly<Record<string, readonly string[]>> {
  const texts = (rows: readonly { readonly text: string }[]) => rows.map(({ text }) => text)
  return {
    newest: texts(ledger.asks.filter(({ isNewest }) => isNewest)),
    constraints: texts(ledger.constraints),
    decisions: texts(ledger.decisions),
    links: texts(ledger.links),
    outcomes: texts(ledger.outcomes),
    openErrors: texts(ledger.openErrors),
    openSteps: texts(ledger.openSteps.filter(({ kind }) => kind !== 'proposal')),
    modified: ledger.files.modified.map(({ path }) => path),
    question: ledger.question === null ? [] : [ledger.question.text],
  }
}

function isToldIn(entries: readonly SummaryItem[], summary: string): (text: string) => boolean {
  const lines = entries.map(({ text }) => text)
  const windows = lines.map((_, at) => contentWords(lines.slice(at, at + NEIGHBORS).join('\n')))
  return (text) => {
    // A link, an id or a path is told by its letters; file tags count for them.
    if (!/\s/.test(text)) return summary.includes(text) || summary.includes(text.slice(text.lastIndexOf('/') + 1))
    const words = contentWords(text)
    return windows.some((window) => shareOf(words, window) >= SAME)
  }
}

/** Says of a state line whether it names a failure or a step that is settled, before anything that is open. */
function staleTest(conversation: Conversation, ledger: Ledger): (line: string) => boolean {
  const openTexts = [...ledger.openErrors, ...ledger.openSteps, ...ledger.asks.filter(({ isNewest }) => isNewest)]
  const open = [...openTexts.map(({ text }) => text), ledger.question?.text ?? ''].map(contentWords)
  const settled = [...failuresOf(conversation), ...ledger.finishedTodos]
    .map(contentWords)
    .filter((words) => words.size > 0 && !open.some((other) => shareOf(words, other) >= SAME))
  const isAbout = (line: ReadonlySet<string>) => (words: ReadonlySet<string>) => shareOf(words, line) >= SAME
  return (text) => {
    if (REPORTS_DONE.test(text)) return false
    const line = contentWords(text)
    if (open.some(isAbout(line))) return false
    return settled.some(isAbout(line)) || (ledger.question === null && WAITS.test(text))
  }
}

/** The telling line of every failure of the region, settled or not. */
function failuresOf({ turns }: Conversation): string[] {
  const lines = turns.flatMap(({ parts }) =>
    parts.flatMap((part) => (part.kind === 'result' && part.status === 'failed' ? informativeLine(part.text) : [])),
  )
  return [...new Set(lines.filter((line) => line !== ''))]
}
