import { callOf, modifiedPaths } from '../conversation/call.ts'
import { errorLineOf } from '../conversation/error-line.ts'
import { changesOf, commandOf, normalizeCommand } from '../conversation/shell-command.ts'
import type { Region, RegionCall, RegionEvent } from '../conversation/tool-event.ts'
import { PATH_ARGUMENTS, toolEffect } from '../conversation/tool-names.ts'
import { oneLine } from '../text/one-line.ts'
import { closingQuestion, constraintSentences, isSubstantive, isSynthetic, ownWords } from './user-words.ts'

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
 * Hard facts of a region, most important first (session-compaction §7.4): newest user request, explicit constraints,
 * unanswered question, unresolved error lines, modified files, commands that changed state. Pure and linear in the region.
 */
export function hardFacts(region: Region): HardFact[] {
  return [
    ...requests(region),
    ...constraints(region),
    ...questions(region),
    ...errors(region),
    ...files(region),
    ...commands(region),
  ]
}

function fact(kind: FactKind, text: string, probe = text): HardFact {
  return { kind, text, probe }
}

/** Turns of the user, without those that an agent wrote in the user's name. */
function userTexts(region: Region): string[] {
  return region.events.flatMap((event) => (event.kind === 'user' && !isSynthetic(event.text) ? [event.text] : []))
}

function requests(region: Region): HardFact[] {
  for (const text of userTexts(region).toReversed()) {
    const words = ownWords(text)
    if (isSubstantive(words)) return [fact('request', oneLine(words, LENGTH.request))]
  }
  return []
}

/**
 * Reads the region from its end until `most` facts are found; oldest of them first. What was said again counts as said
 * last, and a later `null` under the same key settles what stood before it: a long history costs no more than its end.
 */
function newest(
  region: Region,
  most: number,
  read: (event: RegionEvent) => readonly (readonly [key: string, fact: HardFact | null])[],
): HardFact[] {
  const seen = new Set<string>()
  const found: HardFact[] = []
  for (let at = region.events.length - 1; at >= 0 && found.length < most; at -= 1) {
    const event = region.events[at]
    for (const [key, one] of event === undefined ? [] : read(event).toReversed()) {
      if (seen.has(key)) continue
      seen.add(key)
      if (one !== null) found.push(one)
    }
  }
  return found.slice(0, most).reverse()
}

function constraints(region: Region): HardFact[] {
  return newest(region, MOST.constraint, (event) => {
    if (event.kind !== 'user' || isSynthetic(event.text)) return []
    return constraintSentences(event.text).map((sentence) => {
      const text = oneLine(sentence, LENGTH.constraint)
      return [text.toLowerCase(), fact('constraint', text)]
    })
  })
}

function questions(region: Region): HardFact[] {
  const last = region.events.at(-1)
  if (last === undefined || last.kind === 'call') return []
  const question = closingQuestion(last.text)
  return question === '' ? [] : [fact('question', oneLine(question, LENGTH.question))]
}

function errors(region: Region): HardFact[] {
  return newest(region, MOST.error, (event) => {
    const key = event.kind === 'call' ? workOf(event) : ''
    if (event.kind !== 'call' || key === '') return []
    const line = errorLineOf(event)
    if (line === null) return [[key, null]]
    const text = oneLine(line, LENGTH.error)
    return [[key, fact('error', commandOf(event) === '' ? text : `\`${oneLine(key, 80)}\`: ${text}`, text)]]
  })
}

/** What a call worked at: the same work done again without an error resolves the earlier one. '' for mere looking around. */
function workOf(call: RegionCall): string {
  const command = commandOf(call)
  if (command !== '') return normalizeCommand(command)
  const effect = toolEffect(call.name)
  if (effect === 'read' || effect === 'search') return ''
  const path = PATH_ARGUMENTS.map((name) => call.args[name]).find((value) => typeof value === 'string')
  if (typeof path === 'string') return `${call.name} ${path}`
  // An edit that says not where is one of many tries; only other tools are known by their name alone.
  return effect === 'other' ? call.name : ''
}

/** Newest first, as far as they are asked for. */
function files(region: Region): HardFact[] {
  const newestFirst = region.modifiedFiles?.toReversed() ?? filesFromEnd(region.events, MOST.file)
  const unique = [...new Set(newestFirst)].slice(0, MOST.file)
  return unique.map((path) => fact('file', path.replace(/\s+/g, ' ')))
}

function filesFromEnd(events: readonly RegionEvent[], most: number): readonly string[] {
  const found = new Set<string>()
  for (let at = events.length - 1; at >= 0 && found.size < most; at -= 1) {
    const event = events[at]
    if (event?.kind === 'call') for (const path of modifiedBy(event).toReversed()) found.add(path)
  }
  return [...found]
}

function modifiedBy(call: RegionCall): readonly string[] {
  return call.failed ? [] : modifiedPaths(callOf({ id: '', name: call.name, arguments: call.args }))
}

function commands(region: Region): HardFact[] {
  return newest(region, MOST.command, (event) => {
    const command = event.kind === 'call' && !event.failed ? commandOf(event) : ''
    if (event.kind !== 'call' || command === '' || errorLineOf(event) !== null) return []
    return changesOf(command).map((part) => {
      const text = oneLine(part, LENGTH.command)
      return [text, fact('command', text)]
    })
  })
}
