import { changingPart } from '../../conversation/command-kinds.ts'
import { CUES, LABELS } from '../../ledger/cues/patterns.ts'
import { quoteLine, quoteLines } from '../../text/quote.ts'
import { utf8Length } from '../../tokens/utf8.ts'
import type { Digest, Step } from '../digest.ts'
import { distinct, type Item, recent, VALUE } from '../item.ts'
import { lastSubstantive } from '../statements.ts'
import { stepLine } from './step-line.ts'
import { todoList } from './todos.ts'

const MOST_CLAIMS = 16
const MOST_CLAIMS_EACH = 4
const MOST_COMMANDS = 14
const LONGEST = 300
const LAST_WORDS_MOST = 700
const TEMPORARY = /^(?:\/tmp\/|\/var\/folders\/|\/private\/tmp\/|~\/\.cache\/)/

/** What is done: finished tasks, files changed, commands that changed something, claims of completion; in their order. */
export function doneItems(conversation: Digest): Item[] {
  const dated: { at: number; item: Item }[] = []
  const add = (at: number, text: string, value: number): void => {
    dated.push({ at, item: { text, value: recent(value, at, conversation.length) } })
  }
  for (const [path, steps] of changedFiles(conversation)) {
    const last = steps.at(-1)
    if (last !== undefined) add(last.at, fileLine(path, steps), VALUE.modifiedFile)
  }
  for (const [part, step] of changingSteps(conversation).slice(-MOST_COMMANDS)) {
    add(step.at, `Ran \`${quoteLine(part, 160)}\``, VALUE.changed)
  }
  for (const claim of claims(conversation)) add(claim.at, quoteLine(claim.sentence, LONGEST), VALUE.claim)
  dated.sort((a, b) => a.at - b.at)
  const tasks = todoList(conversation).filter((todo) => todo.state === 'done')
  const taskItems = tasks.map((todo) => ({ text: quoteLine(todo.text, LONGEST), value: VALUE.changed }))
  return distinct([...taskItems, ...dated.map((each) => each.item)])
}

/** Files that a call changed without failing, with those calls, by first change; temporary ones only when there are no others. */
export function changedFiles(conversation: Digest): Map<string, Step[]> {
  const files = new Map<string, Step[]>()
  for (const step of conversation.steps) {
    if (step.outcome.state === 'failed') continue
    for (const path of step.touched.modified) {
      const steps = files.get(path)
      if (steps === undefined) files.set(path, [step])
      else steps.push(step)
    }
  }
  const lasting = [...files].filter(([path]) => !TEMPORARY.test(path))
  return lasting.length === 0 ? files : new Map(lasting)
}

function fileLine(path: string, steps: readonly Step[]): string {
  const writes = steps.filter((step) => step.effect === 'write').length
  const verb = writes === 0 ? 'Edited' : writes === steps.length ? 'Wrote' : 'Wrote and edited'
  return `${verb} ${path}${steps.length > 1 ? ` (${steps.length} times)` : ''}`
}

function changingSteps(conversation: Digest): [string, Step][] {
  const last = new Map<string, Step>()
  for (const step of conversation.steps) {
    if (step.effect !== 'shell' || step.outcome.state !== 'ok') continue
    const part = changingPart(step.command)
    if (part === null) continue
    last.delete(part)
    last.set(part, step)
  }
  return [...last]
}

interface Claim {
  readonly at: number
  readonly sentence: string
}

/** Claims of completion; those of the statements that close a turn first of all, since others get corrected. */
function claims(conversation: Digest): Claim[] {
  const found: (Claim & { closing: boolean })[] = []
  for (const { at, closing, said } of conversation.statements) {
    const claimed = said.filter(({ sentence, folded }) => {
      if (/[?:]$/.test(sentence) || utf8Length(sentence) < 12 || sentence.length > 2 * LONGEST) return false
      return (CUES.done.test(folded) && !CUES.decision.test(folded)) || LABELS.done.test(folded)
    })
    found.push(...claimed.slice(0, MOST_CLAIMS_EACH).map(({ sentence }) => ({ at, closing, sentence })))
  }
  if (found.length <= MOST_CLAIMS) return found
  const closing = found.filter((claim) => claim.closing).slice(-MOST_CLAIMS)
  const other = found.filter((claim) => !claim.closing).slice(closing.length - MOST_CLAIMS)
  return closing.length === MOST_CLAIMS ? closing : [...closing, ...other]
}

/** What runs: tasks in progress, else the last thing the assistant was about to do with no result after it. */
export function inProgressItems(conversation: Digest): Item[] {
  const running = todoList(conversation).filter((todo) => todo.state === 'running')
  const items = running.map((todo) => ({ text: quoteLine(todo.text, LONGEST), value: VALUE.inProgress }))
  const intent = lastIntent(conversation)
  if (intent !== null) items.push({ text: quoteLine(intent, LONGEST), value: VALUE.inProgress })
  return distinct([...items, ...lastStepItems(conversation)])
}

function lastIntent(conversation: Digest): string | null {
  const statement = conversation.statements.at(-1)
  if (statement === undefined) return null
  const later = conversation.steps.filter((step) => step.at > statement.at && step.outcome.state === 'ok')
  if (later.length > 2) return null
  const intents = statement.said.filter(
    ({ folded, sentence, isItem }) =>
      !isItem && !sentence.endsWith('?') && (CUES.intent.test(folded) || CUES.next.test(folded)),
  )
  return intents.at(-1)?.sentence ?? null
}

const LAST_STEPS = 4

/** The last few calls when the conversation stops in the middle of the work: where to take it up again. */
function lastStepItems(conversation: Digest): Item[] {
  const until = Math.max(
    conversation.statements.findLast((statement) => statement.closing)?.at ?? -1,
    conversation.asks.at(-1)?.at ?? -1,
  )
  const open = conversation.steps.filter((step) => step.at > until)
  if (open.length === 0) return []
  const lines = open.slice(-LAST_STEPS).map(stepLine)
  return [{ text: `Last steps: ${lines.join('; ')}`, value: VALUE.inProgress - 5 }]
}

/** Where things stand: the assistant's last substantive words, verbatim up to a length. */
export function stateItems(conversation: Digest): Item[] {
  const last = lastSubstantive(conversation)
  if (last === undefined) return []
  return [{ text: `Last words of the assistant: ${quoteLines(last.text, LAST_WORDS_MOST)}`, value: VALUE.statement }]
}
