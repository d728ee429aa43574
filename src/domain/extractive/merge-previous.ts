import { commandFamilies } from '../conversation/commands.ts'
import type { Digest } from './digest.ts'
import { distinct, entryKey, type Item, VALUE } from './item.ts'
import type { PreviousSummary } from './previous-summary.ts'
import type { SectionKind } from './section-kind.ts'

/** Items of every kind of section. */
export type Sections = Map<SectionKind, Item[]>

const VOLATILE =
  /^(?:Last words of the assistant|Unanswered question of the user|The assistant asked and waits for an answer|Not begun): /
const OWN_FILE_LINE = /^(Edited|Wrote and edited|Wrote) (.+?)(?: \(\d+ times\))?$/
const NEWEST = /^(?:Newest request|User asked): /
const FIRST = /^(?:First request|User asked): /
const MOST_CARRIED = 60

const CARRIED_VALUE: Partial<Record<SectionKind, number>> = {
  goal: VALUE.firstRequest,
  task: VALUE.request,
  constraints: VALUE.constraint,
  done: VALUE.changed,
  'in-progress': VALUE.inProgress - 10,
  blocked: VALUE.blocked - 10,
  decisions: VALUE.decision,
  'next-steps': VALUE.nextStep - 10,
  critical: VALUE.errorLine,
  files: VALUE.readFile + 40,
}

/** Merges an earlier summary into the new sections: what was done stays done, what got finished moves, order stays. */
export function mergePrevious(sections: Sections, previous: PreviousSummary, conversation: Digest): void {
  const finished = finishedTest(sections.get('done') ?? [])
  const moved: Item[] = []
  for (const [kind, entries] of previous) {
    const fresh = sections.get(kind) ?? []
    const carried = entries.slice(-MOST_CARRIED).map((text) => ({ text, value: CARRIED_VALUE[kind] ?? VALUE.fact }))
    const kept = carried.filter((item) => {
      if (VOLATILE.test(item.text)) return false
      if (kind === 'blocked') return !gotOver(item.text, conversation)
      if (kind !== 'in-progress' && kind !== 'next-steps') return true
      if (!finished(item.text)) return true
      moved.push({ text: item.text, value: VALUE.changed })
      return false
    })
    sections.set(kind, joined(kind, kept, fresh))
  }
  if (moved.length > 0) {
    const done = sections.get('done') ?? []
    const before = previous.get('done')?.length ?? 0
    sections.set('done', distinct([...done.slice(0, before), ...moved, ...done.slice(before)]))
  }
}

function joined(kind: SectionKind, kept: readonly Item[], fresh: readonly Item[]): Item[] {
  if (kind === 'goal' || kind === 'task') return distinct(joinedRequests(kept, fresh))
  if (kind === 'done') return distinct(joinedWork(kept, fresh))
  if (kind === 'files') {
    const modified = new Set(
      [...kept, ...fresh].flatMap((item) => (item.text.endsWith(' (modified)') ? [item.text.slice(0, -11)] : [])),
    )
    return distinct(
      [...kept, ...fresh].filter((item) => !(item.text.endsWith(' (read)') && modified.has(item.text.slice(0, -7)))),
    )
  }
  return distinct([...kept, ...fresh])
}

/** One line a file: a file of then that was edited now was written and edited. */
function joinedWork(kept: readonly Item[], fresh: readonly Item[]): Item[] {
  const before = new Map(kept.flatMap(({ text }) => (OWN_FILE_LINE.test(text) ? [[fileOf(text), text] as const] : [])))
  const now = new Set(fresh.map(({ text }) => fileOf(text)))
  const joint = fresh.map((item) => {
    const old = before.get(fileOf(item.text))
    return old?.startsWith('Wrote') === true
      ? { ...item, text: item.text.replace(/^Edited /, 'Wrote and edited ') }
      : item
  })
  return [...kept.filter(({ text }) => !OWN_FILE_LINE.test(text) || !now.has(fileOf(text))), ...joint]
}

const fileOf = (text: string): string => OWN_FILE_LINE.exec(text)?.[2] ?? ''

/** The newest request of then is one of many now. */
function joinedRequests(kept: readonly Item[], fresh: readonly Item[]): Item[] {
  if (fresh.length === 0) return [...kept]
  if (kept.length === 0) return [...fresh]
  const older = kept.map((item, i) => {
    if (i === 0 && FIRST.test(item.text)) return { ...item, text: item.text.replace(FIRST, 'First request: ') }
    return NEWEST.test(item.text) ? { text: item.text.replace(NEWEST, 'Then: '), value: VALUE.request } : item
  })
  const newer = fresh.map((item, i) =>
    i === fresh.length - 1
      ? { ...item, text: item.text.replace(FIRST, 'Newest request: ') }
      : { text: item.text.replace(FIRST, 'Then: '), value: VALUE.request },
  )
  return [...older, ...newer]
}

const WORD = /[\p{L}\p{N}][\p{L}\p{N}._/-]{2,}/gu
const STEM = 5

/** Content words by their first letters, so that "Port the rules" and "the rules are ported" share theirs. */
function stems(text: string): Set<string> {
  return new Set((entryKey(text).match(WORD) ?? []).slice(0, 60).map((word) => word.slice(0, STEM)))
}

function finishedTest(done: readonly Item[]): (text: string) => boolean {
  const claims = done.map((item) => stems(item.text))
  return (text) => {
    const wanted = stems(text)
    if (wanted.size === 0) return false
    return claims.some((claim) => {
      let shared = 0
      for (const stem of wanted) if (claim.has(stem)) shared += 1
      return shared >= Math.max(2, Math.ceil(wanted.size * 0.6))
    })
  }
}

const IN_TICKS = /`([^`\n]{2,300})`/

function gotOver(entry: string, conversation: Digest): boolean {
  const command = IN_TICKS.exec(entry)?.[1]
  if (command === undefined) return false
  const families = new Set(commandFamilies(command))
  return conversation.steps.some(
    (step) =>
      step.outcome.state === 'ok' &&
      step.effect === 'shell' &&
      commandFamilies(step.command).some((family) => families.has(family)),
  )
}
