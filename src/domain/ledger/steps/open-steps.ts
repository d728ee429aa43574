import type { Ask, LedgerItem, OpenStep } from '../ledger-value.ts'
import type { Timeline } from '../timeline.ts'
import { announcedSteps, closingSteps } from './announced.ts'
import { doneTest } from './done-test.ts'
import { todoList } from './todo-list.ts'

const MOST = 12
/** Each is held against all that was done since. */
const MOST_PLANNED = 60

/** Where steps come from beside the conversation. */
export interface StepSources {
  readonly asks: readonly Ask[]
  /** Next steps of the generation before. */
  readonly planned: readonly LedgerItem[]
}

/** What is next (docs/spec/truth.md §3), most pressing first; steps whose object was done since are left out. */
export function openSteps(timeline: Timeline, { asks, planned }: StepSources): OpenStep[] {
  const isDone = doneTest(timeline)
  const todos = todoList(timeline)
    .filter(({ state, text, at }) => state !== 'done' && !isDone(text, at))
    .map(
      ({ text, state }): OpenStep => ({
        text,
        turn: timeline.lastNumber,
        kind: state === 'running' ? 'running' : 'todo',
      }),
    )
  const earlier = planned
    .slice(0, MOST_PLANNED)
    .filter(({ text }) => !isDone(text, -1))
    .map(({ text, turn }): OpenStep => ({ text, turn, kind: 'planned-earlier' }))
  const own = [
    ...notBegun(timeline, asks),
    ...todos,
    ...announcedSteps(timeline, isDone),
    ...closingSteps(timeline, isDone),
  ]
  return [...own, ...earlier].slice(0, MOST)
}

/** Requests after which nothing was said or done yet. */
function notBegun(timeline: Timeline, asks: readonly Ask[]): OpenStep[] {
  const lastDone = Math.max(timeline.sayings.at(-1)?.at ?? -1, timeline.acts.at(-1)?.at ?? -1)
  const waiting = new Set(
    timeline.turns.filter(({ at, isTrivial }) => at > lastDone && !isTrivial).map(({ number }) => number),
  )
  return asks
    .filter(({ turn, isCarried }) => !isCarried && waiting.has(turn))
    .map(({ text, turn }): OpenStep => ({ text, turn, kind: 'request' }))
}
