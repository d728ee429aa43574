import { errorLineOf } from './error-line.ts'
import { fileLists } from './file-operations.ts'
import { oneLine } from './one-line.ts'
import type { Region, RegionCall } from './region.ts'
import { changesOf, commandOf, normaliseCommand } from './shell-command.ts'
import { PATH_ARGUMENTS, toolEffect } from './tool-names.ts'
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

function constraints(region: Region): HardFact[] {
  const found = new Map<string, HardFact>()
  for (const userText of userTexts(region)) {
    for (const sentence of constraintSentences(userText)) {
      const text = oneLine(sentence, LENGTH.constraint)
      // Said again counts as said last: the newest survive the cap.
      found.delete(text.toLowerCase())
      found.set(text.toLowerCase(), fact('constraint', text))
    }
  }
  return [...found.values()].slice(-MOST.constraint)
}

function questions(region: Region): HardFact[] {
  const last = region.events.at(-1)
  if (last === undefined || last.kind === 'call') return []
  const question = closingQuestion(last.text)
  return question === '' ? [] : [fact('question', oneLine(question, LENGTH.question))]
}

function errors(region: Region): HardFact[] {
  const open = new Map<string, HardFact>()
  for (const event of region.events) {
    if (event.kind !== 'call') continue
    const key = workOf(event)
    if (key === '') continue
    const line = errorLineOf(event)
    open.delete(key)
    if (line === null) continue
    const text = oneLine(line, LENGTH.error)
    open.set(key, fact('error', commandOf(event) === '' ? text : `\`${oneLine(key, 80)}\`: ${text}`, text))
  }
  return [...open.values()].slice(-MOST.error)
}

/** What a call worked at: the same work done again without an error resolves the earlier one. '' for mere looking around. */
function workOf(call: RegionCall): string {
  const command = commandOf(call)
  if (command !== '') return normaliseCommand(command)
  const effect = toolEffect(call.name)
  if (effect === 'read' || effect === 'search') return ''
  const path = PATH_ARGUMENTS.map((name) => call.args[name]).find((value) => typeof value === 'string')
  if (typeof path === 'string') return `${call.name} ${path}`
  // An edit that says not where is one of many tries; only other tools are known by their name alone.
  return effect === 'other' ? call.name : ''
}

function files(region: Region): HardFact[] {
  const paths =
    region.modifiedFiles ?? region.events.flatMap((event) => (event.kind === 'call' ? modifiedBy(event) : []))
  // Newest last in the region, so the newest survive the cap.
  return [...new Set(paths.toReversed())].slice(0, MOST.file).map((path) => fact('file', path.replace(/\s+/g, ' ')))
}

function modifiedBy(call: RegionCall): readonly string[] {
  return fileLists([{ name: call.name, args: call.args, isFailed: call.failed }]).modifiedFiles
}

function commands(region: Region): HardFact[] {
  const found = new Map<string, HardFact>()
  for (const event of region.events) {
    if (event.kind !== 'call' || event.failed) continue
    const command = commandOf(event)
    if (command === '' || errorLineOf(event) !== null) continue
    for (const part of changesOf(command)) {
      const text = oneLine(part, LENGTH.command)
      found.delete(text)
      found.set(text, fact('command', text))
    }
  }
  return [...found.values()].slice(-MOST.command)
}
