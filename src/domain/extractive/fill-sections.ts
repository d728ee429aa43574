import type { Ledger } from '../ledger/ledger-value.ts'
import type { SectionKind } from '../ledger/previous/section-kind.ts'
import { quoteLine } from '../text/quote.ts'
import { type Item, TIER } from './item.ts'
import { contextItems, lastWordsItems, stateItems } from './sections/context.ts'
import { constraintItems, decisionItems } from './sections/laid-down.ts'
import { blockedItems, nextItems, questionItems } from './sections/open.ts'
import { earlierAskItems, goalItems, newestItems } from './sections/requests.ts'
import { doneItems, fileItems, fileSectionItems, runningItems } from './sections/work.ts'

/** Items of every kind of section. */
export type Sections = Map<SectionKind, Item[]>

/** What may go where when no heading asks for it; the first asked one takes it. */
const FALLBACKS: Partial<Record<SectionKind, readonly SectionKind[]>> = {
  goal: ['task', 'critical', 'state', 'other'],
  task: ['goal', 'critical', 'state', 'other'],
  constraints: ['critical', 'goal', 'task', 'state'],
  done: ['progress', 'state', 'critical'],
  'in-progress': ['progress', 'next-steps', 'state', 'critical'],
  blocked: ['critical', 'state', 'in-progress', 'progress'],
  decisions: ['critical', 'state', 'done', 'progress'],
  'next-steps': ['in-progress', 'progress', 'state', 'critical'],
  // A reader of the next steps has to see that somebody waits for an answer.
  pending: ['next-steps', 'critical', 'state', 'in-progress', 'progress'],
  state: ['critical', 'in-progress', 'progress', 'done'],
  critical: ['state', 'in-progress', 'progress', 'next-steps'],
}
const FEW_FILES = 8
const ANY = Number.POSITIVE_INFINITY

/** Items for every asked kind, in the order of the conversation; what no heading asks for moves to the nearest one. */
export function fillSections(asked: ReadonlySet<SectionKind>, ledger: Ledger, context: readonly string[]): Sections {
  const hasTask = asked.has('task')
  const hasFiles = asked.has('files')
  const isQuestion = (item: Item): boolean => asked.has('resolved') && /^“[^”]*[?？][”]/.test(item.text)
  // What was changed was done; many files are named only once, where a section of their own lists them.
  const isListed = hasFiles && ledger.files.modified.length > FEW_FILES
  const done = [...(isListed ? [] : fileItems(ledger)), ...doneItems(ledger)]
  const all: [SectionKind, Item[]][] = [
    ['task', hasTask ? newestItems(ledger) : []],
    [
      'goal',
      [
        ...goalItems(ledger, hasTask && asked.has('goal')),
        ...earlierAskItems(ledger),
        ...(hasTask ? [] : newestItems(ledger)),
      ],
    ],
    ['constraints', constraintItems(ledger)],
    ['done', done.filter((item) => !isQuestion(item))],
    ['in-progress', runningItems(ledger)],
    ['blocked', blockedItems(ledger, asked.has('blocked'))],
    ['decisions', decisionItems(ledger)],
    ['next-steps', nextItems(ledger)],
    ['pending', questionItems(ledger)],
    ['state', [...stateItems(ledger), ...lastWordsItems(ledger)]],
    ['critical', [...pinned(context), ...contextItems(ledger, hasFiles)]],
    ['files', hasFiles ? fileSectionItems(ledger) : []],
    ['resolved', done.filter(isQuestion)],
  ]
  return placed(all, asked)
}

/** What a caller or a hook adds: worth as much as a rule. */
const pinned = (context: readonly string[]): Item[] =>
  context.map((line, at) => ({ text: quoteLine(line, ANY), tier: TIER.constraint, rank: 1000 + at }))

function placed(all: readonly (readonly [SectionKind, readonly Item[]])[], asked: ReadonlySet<SectionKind>): Sections {
  const sections: Sections = new Map()
  for (const [kind, items] of all) {
    const target = asked.has(kind) ? kind : FALLBACKS[kind]?.find((each) => asked.has(each))
    if (target !== undefined) sections.set(target, [...(sections.get(target) ?? []), ...items])
  }
  return sections
}
