import type { Conversation } from '../conversation/conversation.ts'
import { once } from '../once.ts'
import { asksOf, goalOf } from './asks.ts'
import { changesOf } from './changes.ts'
import { constraints } from './constraints/constraints.ts'
import { projectRules } from './constraints/project-rules.ts'
import { decisions, userDecisions } from './decisions/decisions.ts'
import { openErrors } from './errors/open-errors.ts'
import { filesOf, modify } from './files.ts'
import type { Ledger, ModifiedFile, Previous } from './ledger-value.ts'
import { linksOf } from './links/links.ts'
import { namesOf } from './links/names.ts'
import { outcomesOf } from './outcomes/outcomes.ts'
import { progressOf } from './outcomes/progress.ts'
import { carriedFrom } from './previous/carried.ts'
import { waitingQuestion } from './question.ts'
import { lastSteps } from './steps/last-steps.ts'
import { openSteps } from './steps/open-steps.ts'
import { todoList } from './steps/todo-list.ts'
import { type Act, type Timeline, timelineOf } from './timeline.ts'
import { workStateOf } from './work-state.ts'

const NOTHING: Previous = { summary: '', durable: null }
const MOST_DONE = 60
const MOST_CONTEXT = 40

/**
 * What holds at the end of a region (docs/spec/truth.md §1): knowledge of the generations before, state of this one alone.
 * Pure and linear in the conversation.
 */
export function ledger(conversation: Conversation, previous: Previous = NOTHING): Ledger {
  const { summaries, durable } = { summaries: inside(conversation), durable: previous.durable }
  const carried = carriedFrom({
    summary: [...summaries, previous.summary].filter((text) => text !== '').join('\n\n'),
    durable,
  })
  const timeline = timelineOf(conversation, carried.turn)
  const asks = asksOf(timeline, carried.newest)
  const changes = changesOf(timeline)
  const files = filesOf(timeline)
  const byUser = userDecisions(timeline, carried.decisions)
  // What only a reader of the whole asks for: an audit looks at none of it.
  const openStepsOnce = once(() => openSteps(timeline, { asks, planned: carried.planned }))
  const outcomesOnce = once(() => outcomesOf(timeline, changes, carried.newest.at(-1)?.text ?? ''))
  const progressOnce = once(() => progressOf(timeline))
  const namesOnce = once(() => namesOf(timeline, { carried: carried.names, modified: files.modified }))
  const projectRulesOnce = once(() => projectRules(timeline, carried.projectRules))
  const decisionsOnce = once(() => decisions(timeline, carried.decisions, byUser))
  const stateOnce = once(() => workStateOf(timeline, carried.seen))
  return {
    goal: goalOf(asks, carried.goal),
    asks,
    constraints: constraints(timeline, carried.constraints),
    get projectRules() {
      return projectRulesOnce()
    },
    get decisions() {
      return decisionsOnce()
    },
    userDecisions: byUser,
    links: linksOf(timeline, changes, carried.links),
    files: { read: files.read, modified: mergedFiles(carried.modified, files.modified) },
    changes,
    openErrors: openErrors(timeline),
    lastSteps: lastSteps(timeline),
    interrupted: interruptedCall(timeline),
    get openSteps() {
      return openStepsOnce()
    },
    question: waitingQuestion(timeline),
    lastWords: timeline.sayings.at(-1)?.text ?? '',
    isFinished: isFinished(timeline),
    get progress() {
      return progressOnce()
    },
    get names() {
      return namesOnce()
    },
    get outcomes() {
      return outcomesOnce()
    },
    get state() {
      return stateOnce()
    },
    finishedTodos: todoList(timeline)
      .filter(({ state }) => state === 'done')
      .map(({ text }) => text),
    earlier: { done: carried.done.slice(-MOST_DONE), context: carried.context.slice(-MOST_CONTEXT) },
  }
}

function inside({ turns }: Conversation): string[] {
  const summaries: string[] = []
  for (const { parts } of turns) for (const part of parts) if (part.kind === 'summary') summaries.push(part.text)
  return summaries
}

function mergedFiles(before: readonly ModifiedFile[], now: readonly ModifiedFile[]): ModifiedFile[] {
  const all = new Map<string, ModifiedFile>()
  for (const file of [...before, ...now]) modify(all, file)
  return [...all.values()]
}

/** A closing message answered the newest turn, and nothing was begun after it. */
function isFinished({ turns, sayings, acts }: Timeline): boolean {
  const last = sayings.at(-1)
  return last?.isClosing === true && last.at > (turns.at(-1)?.at ?? -1) && last.at > (acts.at(-1)?.at ?? -1)
}

/** The newest call when it was stopped, or nothing answered it and nothing follows. */
function interruptedCall({ acts, sayings, turns }: Timeline): string {
  const last = acts.at(-1)
  if (last === undefined || isAnswered(last)) return ''
  if (last.at < Math.max(sayings.at(-1)?.at ?? -1, turns.at(-1)?.at ?? -1)) return ''
  const { command, name, paths } = last.call
  return command === '' ? `${name} ${paths[0]?.path ?? ''}`.trim() : (command.split('\n', 1)[0] ?? '')
}

const isAnswered = ({ result }: Act): boolean =>
  result !== undefined && result.status !== 'interrupted' && !(result.status === 'unknown' && result.text === '')
