import { quoteLine } from '../text/quote.ts'
import type { Digest } from './digest.ts'
import { distinct, type Item, VALUE } from './item.ts'
import { mergePrevious, type Sections } from './merge-previous.ts'
import type { PreviousSummary } from './previous-summary.ts'
import type { SectionKind } from './section-kind.ts'
import { blockedItems } from './sections/blocked.ts'
import { constraintItems } from './sections/constraints.ts'
import { criticalItems, FILES_READ } from './sections/critical-context.ts'
import { decisionItems } from './sections/decisions.ts'
import { fileItems } from './sections/files.ts'
import { firstGoalItems, goalItems, taskItems } from './sections/goals.ts'
import { nextStepItems } from './sections/next-steps.ts'
import { doneItems, inProgressItems, stateItems } from './sections/progress.ts'
import { pendingItems, resolvedItems } from './sections/questions.ts'

/** What may go where when no heading asks for it; the first asked one takes it. Kinds without a row are left out. */
const FALLBACKS: Partial<Record<SectionKind, readonly SectionKind[]>> = {
  goal: ['task', 'critical', 'state', 'other'],
  task: ['goal', 'critical', 'state', 'other'],
  constraints: ['critical', 'goal', 'task', 'state'],
  done: ['progress', 'state', 'critical'],
  'in-progress': ['progress', 'state', 'next-steps', 'critical'],
  blocked: ['critical', 'state', 'in-progress', 'progress'],
  decisions: ['critical', 'state'],
  'next-steps': ['in-progress', 'progress', 'state', 'critical'],
  critical: ['state', 'in-progress', 'progress', 'next-steps'],
}
/** Entries of this worth and more look for another place; the rest is told only where it was asked for. */
const WORTH_MOVING = VALUE.claim

interface Sources {
  readonly conversation: Digest
  readonly previous: PreviousSummary
  readonly context: readonly string[]
}

/** Items for every asked kind, merged with the previous summary; what no heading asks for moves to the nearest one. */
export function fillSections(asked: ReadonlySet<SectionKind>, { conversation, previous, context }: Sources): Sections {
  const sections: Sections = new Map([
    ['goal', asked.has('task') ? firstGoalItems(conversation) : goalItems(conversation)],
    ['constraints', constraintItems(conversation)],
    ['done', doneItems(conversation)],
    ['in-progress', inProgressItems(conversation)],
    ['blocked', blockedItems(conversation)],
    ['decisions', decisionItems(conversation)],
    ['next-steps', nextStepItems(conversation)],
    ['critical', [...pinned(context), ...criticalItems(conversation)]],
  ])
  if (asked.has('task')) sections.set('task', taskItems(conversation))
  if (asked.has('task') && !asked.has('goal')) sections.set('task', goalItems(conversation)).delete('goal')
  if (asked.has('state')) sections.set('state', stateItems(conversation))
  if (asked.has('files')) sections.set('files', fileItems(conversation))
  if (asked.has('resolved')) sections.set('resolved', resolvedItems(conversation))
  if (asked.has('pending')) sections.set('pending', pendingItems(conversation))
  sections.set('critical', notToldElsewhere(sections, asked))
  mergePrevious(sections, placed(previous, asked), conversation)
  return moved(sections, asked)
}

/** Context leaves out what a section of its own tells. */
function notToldElsewhere(sections: Sections, asked: ReadonlySet<SectionKind>): Item[] {
  const told = new Set([...(sections.get('state') ?? []), ...(sections.get('pending') ?? [])].map((item) => item.text))
  const items = sections.get('critical') ?? []
  return items.filter((item) => !told.has(item.text) && !(asked.has('files') && item.text.startsWith(FILES_READ)))
}

function pinned(context: readonly string[]): Item[] {
  return context.map((line) => ({ text: quoteLine(line, 600), value: VALUE.pinned }))
}

/** Old entries whose heading nobody asks for any more join the kind that stands in for it. */
function placed(previous: PreviousSummary, asked: ReadonlySet<SectionKind>): PreviousSummary {
  const result = new Map<SectionKind, string[]>()
  for (const [kind, entries] of previous) {
    const standIn = asked.has(kind) || FALLBACKS[kind] !== undefined ? kind : 'critical'
    const target =
      standIn === 'task' && !asked.has('task')
        ? 'goal'
        : standIn === 'goal' && !asked.has('goal') && asked.has('task')
          ? 'task'
          : standIn
    const lines = kind === 'files' && target !== 'files' ? fileSentences(entries) : entries
    result.set(target, [...(result.get(target) ?? []), ...lines])
  }
  return result
}

/** Files of an earlier summary, when no heading wants them one a line. */
function fileSentences(entries: readonly string[]): string[] {
  const modified = entries
    .filter((entry) => entry.endsWith(' (modified)'))
    .map((entry) => entry.slice(0, -' (modified)'.length))
  return modified.length === 0 ? [] : [`Files modified earlier: ${[...new Set(modified)].join(', ')}`]
}

function moved(sections: Sections, asked: ReadonlySet<SectionKind>): Sections {
  const result: Sections = new Map()
  for (const [kind, items] of sections) if (asked.has(kind)) result.set(kind, items)
  for (const [kind, items] of sections) {
    if (asked.has(kind)) continue
    const target = FALLBACKS[kind]?.find((each) => asked.has(each))
    const worth = kind === 'done' ? items : items.filter((item) => item.value >= WORTH_MOVING)
    if (target !== undefined) result.set(target, [...(result.get(target) ?? []), ...worth])
  }
  return new Map([...result].map(([kind, items]) => [kind, distinct(items)]))
}
