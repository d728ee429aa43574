import { modifiedPaths } from '../conversation/call.ts'
import type { Conversation, Result } from '../conversation/conversation.ts'
import { errorLineOf, tookEffect } from '../conversation/results/result.ts'
import { changesOf } from '../conversation/shell/changes-of.ts'
import { normalizedCommand } from '../conversation/shell/command-family.ts'
import { namedPath } from '../conversation/tools/call-paths.ts'
import { oneLine } from '../text/one-line.ts'
import { ruleSentences } from './constraints/rule-sentences.ts'
import { closingQuestion, isSubstantive, ownWords } from './user-words.ts'

/** What the facts are looked for in, newest last: words of people and answers, and what came of calls. */
type Event =
  | { readonly kind: 'user' | 'assistant'; readonly text: string }
  | { readonly kind: 'result'; readonly result: Result }

export type FactKind = 'request' | 'constraint' | 'question' | 'error' | 'file' | 'command'

/** Something a summary must not lose. `text` is redacted and on one line; `probe` is what is looked for in the summary. */
export interface HardFact {
  readonly kind: FactKind
  readonly text: string
  readonly probe: string
}

// Enough for a long session; a list that grows with the region would crowd the summary out.
const MOST = { constraint: 16, error: 5, file: 40, command: 6 } as const
const LENGTH = { request: 600, constraint: 300, question: 300, error: 260, command: 180 } as const

/**
 * Hard facts of a region, most important first (docs/spec/compaction.md §7.4): newest user request, explicit constraints,
 * unanswered question, unresolved error lines, modified files, commands that changed state. Pure and linear in the region.
 */
export function hardFacts(conversation: Conversation): HardFact[] {
  const events = eventsOf(conversation)
  return [
    ...requests(events),
    ...constraints(events),
    ...questions(events),
    ...errors(events),
    ...files(events),
    ...commands(events),
  ]
}

function eventsOf({ turns }: Conversation): Event[] {
  return turns.flatMap(({ speaker, parts }) =>
    parts.flatMap((part): Event[] => {
      if (part.kind === 'result') return [{ kind: 'result', result: part }]
      return part.kind === 'words' && (speaker === 'user' || speaker === 'assistant')
        ? [{ kind: speaker, text: part.text }]
        : []
    }),
  )
}

function fact(kind: FactKind, text: string, probe = text): HardFact {
  return { kind, text, probe }
}

function requests(events: readonly Event[]): HardFact[] {
  for (const event of events.toReversed()) {
    if (event.kind !== 'user') continue
    const words = ownWords(event.text)
    if (isSubstantive(words)) return [fact('request', oneLine(words, LENGTH.request))]
  }
  return []
}

/**
 * Reads the region from its end until `most` facts are found; oldest of them first. What was said again counts as said
 * last, and a later `null` under the same key settles what stood before it: a long history costs no more than its end.
 */
function newest(
  events: readonly Event[],
  most: number,
  read: (event: Event) => readonly (readonly [key: string, fact: HardFact | null])[],
): HardFact[] {
  const seen = new Set<string>()
  const found: HardFact[] = []
  for (let at = events.length - 1; at >= 0 && found.length < most; at -= 1) {
    const event = events[at]
    for (const [key, one] of event === undefined ? [] : read(event).toReversed()) {
      if (seen.has(key)) continue
      seen.add(key)
      if (one !== null) found.push(one)
    }
  }
  return found.slice(0, most).reverse()
}

function constraints(events: readonly Event[]): HardFact[] {
  return newest(events, MOST.constraint, (event) => {
    if (event.kind !== 'user') return []
    return ruleSentences(ownWords(event.text)).map((sentence) => {
      const text = oneLine(sentence, LENGTH.constraint)
      return [text.toLowerCase(), fact('constraint', text)]
    })
  })
}

function questions(events: readonly Event[]): HardFact[] {
  const last = events.at(-1)
  if (last === undefined || last.kind === 'result') return []
  const question = closingQuestion(last.text)
  return question === '' ? [] : [fact('question', oneLine(question, LENGTH.question))]
}

function errors(events: readonly Event[]): HardFact[] {
  return newest(events, MOST.error, (event) => {
    const key = event.kind === 'result' ? workOf(event.result) : ''
    if (event.kind !== 'result' || key === '') return []
    const line = errorLineOf(event.result)
    if (line === null) return [[key, null]]
    const text = oneLine(line, LENGTH.error)
    const isCommand = event.result.call?.command !== ''
    return [[key, fact('error', isCommand ? `\`${oneLine(key, 80)}\`: ${text}` : text, text)]]
  })
}

/** What a call worked at: the same work done again without an error resolves the earlier one. '' for mere looking around. */
function workOf({ call }: Result): string {
  if (call === null) return ''
  if (call.command !== '') return normalizedCommand(call.command)
  if (call.tool === 'read' || call.tool === 'search') return ''
  const path = namedPath(call.arguments)
  if (path !== '') return `${call.name} ${path}`
  // An edit that says not where is one of many tries; only other tools are known by their name alone.
  return call.tool === 'edit' || call.tool === 'write' ? '' : call.name
}

/** Newest first, as far as they are asked for. */
function files(events: readonly Event[]): HardFact[] {
  const found = new Set<string>()
  for (let at = events.length - 1; at >= 0 && found.size < MOST.file; at -= 1) {
    const event = events[at]
    if (event?.kind !== 'result' || event.result.call === null) continue
    const paths = modifiedPaths(event.result.call)
    if (paths.length > 0 && tookEffect(event.result)) for (const path of paths.toReversed()) found.add(path)
  }
  return [...found].slice(0, MOST.file).map((path) => fact('file', path.replace(/\s+/g, ' ')))
}

function commands(events: readonly Event[]): HardFact[] {
  return newest(events, MOST.command, (event) => {
    const command = event.kind === 'result' ? (event.result.call?.command ?? '') : ''
    if (event.kind !== 'result' || command === '') return []
    const changes = changesOf(command)
    if (changes.length === 0 || event.result.status !== 'ok') return []
    return changes.map((part) => {
      const text = oneLine(part, LENGTH.command)
      return [text, fact('command', text)]
    })
  })
}
