import { modifiedPaths } from '../../conversation/call.ts'
import { proseLines } from '../../text/prose.ts'
import { sentencesOf, withoutBullet } from '../../text/sentences.ts'
import { CUE_KINDS, cueTest } from '../cues/any-cue.ts'
import { CUES } from '../cues/patterns.ts'
import { isDone } from '../files.ts'
import type { LedgerItem } from '../ledger-value.ts'
import { memoryOf, remembering } from '../remembering.ts'
import type { Act, Saying, Timeline } from '../timeline.ts'
import { humanWords, withoutLifted, withoutRepeats } from './constraints.ts'
import { ruleIn } from './standing-rule.ts'

/** How they are introduced: by their source, since no person said them. */
const TOLD = 'The assistant told of the project: '
const readIn = (path: string): string => `Read in ${path}: `
const LINE = /^(?:The assistant told of the project|Read in \S{1,200}): /

/** A line of an earlier summary that states such a rule. */
export const isProjectRule = (line: string): boolean => LINE.test(line)

/** Documents in which a project lays down how it is worked on. */
const DOCUMENT =
  /(?:^|[/\\])(?:agents|claude|gemini|contributing|conventions?|code[-_]?style|style[-_]?guide|copilot-instructions|\.cursorrules|\.windsurfrules)(?:\.local)?(?:\.(?:md|mdc|mdx|txt|rst|adoc))?$/i
const NAMES_DOCUMENT =
  /\b(?:CONTRIBUTING|AGENTS\.md|CLAUDE\.md|GEMINI\.md|CONVENTIONS\.md|copilot-instructions|style ?guide)\b|\.cursorrules/
const CONVENTION = cueTest('convention')
/** A label of few words that names a convention: "Naming convention: …". */
const LABEL = /^([^:：\n]{2,60})[:：]\s{0,4}\S/
/** What the assistant is about to write into such a document is not a rule yet. */
const WRITING =
  /\b(?:i(?:'ll| will|'ve| have)?|let me|let's|should (?:i|we)|we (?:could|should)) (?:also )?(?:add|updat|writ|chang|edit|fix|creat|document|check|read|look|verify)/i
/** The document as what is worked on. */
const AS_SUBJECT =
  /\b(?:to|into|edit\w{0,3}|modif\w{1,4}|updat\w{1,3}|merg\w{1,3}|writ\w{1,3}|generat\w{1,3}|renam\w{1,3}) (?:the |an? |all |your |every )?[`*]{0,3}(?:CONTRIBUTING|AGENTS\.md|CLAUDE\.md|GEMINI\.md|CONVENTIONS\.md|copilot-instructions|\.cursorrules)/i
const MOST = 6
const MOST_OF_DOCUMENT = 4
const SHORTEST = 10
const LONGEST = 300
/** The head of a document; what agents read is often cut. */
const READ_MOST = 16_000
const LINE_NUMBER = /^\s{0,8}\d{1,6}(?:[→:|]|\t)\s?/

/**
 * The rules of the project, oldest first, as stated by the assistant, from a document of rules or as a convention, and
 * prohibitions of such documents that were read. No human said them, so they are knowledge and never constraints
 * (docs/spec/hostile.md §3). A document that was changed in the region is its subject, not its law; what a user lifts is gone.
 */
export function projectRules(timeline: Timeline, carried: readonly LedgerItem[]): LedgerItem[] {
  const found = withoutRepeats([...carried, ...rulesFound(timeline)])
  return humanWords(timeline)
    .reduce((rules, { text }) => withoutLifted(rules, text), found)
    .slice(-MOST)
}

function rulesFound(timeline: Timeline): LedgerItem[] {
  const changed = changedDocuments(timeline)
  const told: { readonly at: number; readonly turn: number; readonly text: string }[] = []
  for (const saying of timeline.sayings)
    for (const text of saidOf(saying.memory, () => rulesTold(saying)))
      if (![...changed].some((name) => text.toLowerCase().includes(name)))
        told.push({ at: saying.at, turn: saying.number, text: `${TOLD}${text}` })
  const read = timeline.acts.flatMap((act) =>
    rulesRead(act, changed).map((text) => ({ at: act.at, turn: act.number, text })),
  )
  // What the assistant found worth telling weighs more than what else stands in the document.
  const kept = [...read.slice(-MOST), ...told].slice(-MOST).sort((a, b) => a.at - b.at)
  return kept.map(({ turn, text }) => ({ turn, text }))
}

function changedDocuments({ acts }: Timeline): ReadonlySet<string> {
  const changed = new Set<string>()
  for (const act of acts)
    if (act.call.paths.some(({ path, to }) => isDocument(path) || (to !== undefined && isDocument(to))) && isDone(act))
      for (const path of modifiedPaths(act.call)) if (isDocument(path)) changed.add(nameOf(path))
  return changed
}

const saidOf = remembering<readonly string[]>()
const readOf = remembering<readonly string[]>()
const isDocument = (path: string): boolean => DOCUMENT.test(path)
/** The name of a document as prose writes it: `contributing`, `agents.md`. */
const nameOf = (path: string): string =>
  path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1).toLowerCase()

function rulesTold(saying: Saying): string[] {
  if ((saying.cues & CUE_KINDS.convention) === 0 && !NAMES_DOCUMENT.test(saying.text)) return []
  return saying.said
    .filter(
      ({ sentence, folded }) =>
        sentence.length >= SHORTEST &&
        sentence.length <= LONGEST &&
        !/[?？:：]$/.test(sentence) &&
        !WRITING.test(sentence) &&
        !AS_SUBJECT.test(sentence) &&
        !CUES.done.test(folded) &&
        isToldRule(sentence),
    )
    .map(({ sentence }) => sentence)
}

function isToldRule(sentence: string): boolean {
  const label = LABEL.exec(sentence)?.[1]
  if (label !== undefined && CONVENTION.has(label)) return true
  return (NAMES_DOCUMENT.test(sentence) || CONVENTION.has(sentence)) && ruleIn(sentence) !== null
}

function rulesRead(act: Act, changed: ReadonlySet<string>): readonly string[] {
  const path = act.call.paths.find((each) => each.use === 'read' && isDocument(each.path))?.path
  const { result } = act
  if (path === undefined || result === undefined || !isDone(act) || changed.has(nameOf(path))) return []
  return readOf(memoryOf(result), () => {
    const lines = result.text
      .slice(0, READ_MOST)
      .split('\n')
      .map((line) => line.replace(LINE_NUMBER, ''))
    return proseLines(lines.join('\n'))
      .flatMap((line) => sentencesOf(withoutBullet(line)))
      .filter(
        (sentence) =>
          sentence.length >= SHORTEST &&
          sentence.length <= LONGEST &&
          !/[:：]$/.test(sentence) &&
          ruleIn(sentence) === 'prohibition',
      )
      .slice(0, MOST_OF_DOCUMENT)
      .map((sentence) => `${readIn(path)}${sentence}`)
  })
}
