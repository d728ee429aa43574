import { changingPart } from './commands.ts'
import { CUES, LABELS } from './cues/patterns.ts'
import type { Digest, Step } from './digest.ts'
import { distinct, type Item, recent, VALUE } from './item.ts'
import { quoteLine } from './quote.ts'
import { lastSubstantive, saidIn } from './statements.ts'
import { todoList } from './todos.ts'

const MOST_CLAIMS = 16
const MOST_COMMANDS = 14
const LONGEST = 300

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
  for (const step of changingSteps(conversation).slice(-MOST_COMMANDS)) {
    add(step.at, `Ran \`${quoteLine(changingPart(step.command) ?? '', 160)}\``, VALUE.changed)
  }
  for (const claim of claims(conversation).slice(-MOST_CLAIMS))
    add(claim.at, quoteLine(claim.sentence, LONGEST), VALUE.claim)
  dated.sort((a, b) => a.at - b.at)
  const tasks = todoList(conversation).filter((todo) => todo.state === 'done')
  const taskItems = tasks.map((todo) => ({ text: quoteLine(todo.text, LONGEST), value: VALUE.changed }))
  return distinct([...taskItems, ...dated.map((each) => each.item)])
}

/** Files that a call changed without failing, with those calls, by first change. */
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
  return files
}

function fileLine(path: string, steps: readonly Step[]): string {
  const writes = steps.filter((step) => step.effect === 'write').length
  const verb = writes === 0 ? 'Edited' : writes === steps.length ? 'Wrote' : 'Wrote and edited'
  return `${verb} ${path}${steps.length > 1 ? ` (${steps.length} times)` : ''}`
}

function changingSteps(conversation: Digest): Step[] {
  const last = new Map<string, Step>()
  for (const step of conversation.steps) {
    if (step.effect !== 'shell' || step.outcome.state !== 'ok') continue
    const part = changingPart(step.command)
    if (part !== null) last.set(part, step)
  }
  return [...last.values()].sort((a, b) => a.at - b.at)
}

/** Claims of completion, from the statements that close a turn first of all. */
function claims(conversation: Digest): { at: number; sentence: string }[] {
  const found: { at: number; sentence: string }[] = []
  for (const statement of conversation.statements) {
    for (const { sentence, folded } of saidIn(statement)) {
      if (sentence.endsWith('?') || sentence.endsWith(':') || sentence.length < 12 || sentence.length > 2 * LONGEST)
        continue
      if (CUES.done.test(folded) || LABELS.done.test(folded)) found.push({ at: statement.at, sentence })
    }
  }
  return found
}

/** What runs: tasks in progress, else the last thing the assistant was about to do with no result after it. */
export function inProgressItems(conversation: Digest): Item[] {
  const running = todoList(conversation).filter((todo) => todo.state === 'running')
  const items = running.map((todo) => ({ text: quoteLine(todo.text, LONGEST), value: VALUE.inProgress }))
  const intent = lastIntent(conversation)
  return distinct(intent === null ? items : [...items, { text: quoteLine(intent, LONGEST), value: VALUE.inProgress }])
}

function lastIntent(conversation: Digest): string | null {
  const statement = conversation.statements.at(-1)
  if (statement === undefined) return null
  const later = conversation.steps.filter((step) => step.at > statement.at && step.outcome.state === 'ok')
  if (later.length > 2) return null
  const intents = saidIn(statement).filter(
    ({ folded, sentence }) => !sentence.endsWith('?') && (CUES.intent.test(folded) || CUES.next.test(folded)),
  )
  return intents.at(-1)?.sentence ?? null
}

/** Where things stand: the assistant's last substantive words, verbatim up to 600 characters. */
export function stateItems(conversation: Digest): Item[] {
  const last = lastSubstantive(conversation)
  if (last === undefined) return []
  return [{ text: `Last words of the assistant: ${quoteLine(last.text, 600)}`, value: VALUE.statement }]
}
