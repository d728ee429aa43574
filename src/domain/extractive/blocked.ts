import { commandFamily, normalisedCommand } from './commands.ts'
import { LABELS } from './cues/patterns.ts'
import type { Digest, Step } from './digest.ts'
import { distinct, type Item, recent, VALUE } from './item.ts'
import { quoteLine } from './quote.ts'
import { saidIn } from './statements.ts'

const MOST = 6
const LONGEST = 300

/** Failures without a later success of the same command, newest last, and what the assistant labelled as blocked. */
export function blockedItems(conversation: Digest): Item[] {
  const items = openFailures(conversation)
    .slice(-MOST)
    .flatMap((step) => failureItems(step, conversation.length))
  return distinct([...items, ...labelled(conversation)])
}

/** Failed steps that nothing later got over: not the same command, not the same sort of run, not the same file. */
export function openFailures(conversation: Digest): Step[] {
  const open = new Map<string, Step>()
  for (const step of conversation.steps) {
    const keys = subjects(step)
    if (step.outcome.state === 'ok') for (const key of keys) open.delete(key)
    else if (step.outcome.state === 'failed') {
      const first = keys[0]
      for (const key of keys.slice(1)) open.delete(key)
      if (first !== undefined) {
        open.delete(first)
        open.set(first, step)
      }
    }
  }
  return [...new Set(open.values())].sort((a, b) => a.at - b.at)
}

/** What a step is about. Looking at files that are not there blocks nobody, so reads and searches have no subject. */
function subjects(step: Step): string[] {
  if (step.effect === 'shell') {
    const plain = normalisedCommand(step.command)
    return plain === '' ? [] : [`family ${commandFamily(step.command)}`, `command ${plain}`]
  }
  if (step.effect === 'read' || step.effect === 'search') return []
  const path = step.touched.modified[0]
  return path === undefined ? [`tool ${step.call.name}`] : [`file ${path}`]
}

function failureItems(step: Step, length: number): Item[] {
  const value = recent(VALUE.blocked, step.at, length)
  const code = step.outcome.exitCode === null ? 'failed' : `exits with code ${step.outcome.exitCode}`
  const what =
    step.effect === 'shell'
      ? `\`${quoteLine(normalisedCommand(step.command), 160)}\``
      : `${step.call.name} ${step.touched.modified[0] ?? ''}`.trim()
  const errors = step.outcome.errors.map((line) => `  ${quoteLine(line, LONGEST)}`)
  return [{ text: [`${what} ${code}${errors.length > 0 ? ':' : ''}`, ...errors].join('\n'), value }]
}

function labelled(conversation: Digest): Item[] {
  const last = conversation.statements.slice(-3)
  return last.flatMap((statement) =>
    saidIn(statement)
      .filter(({ folded }) => LABELS.blocked.test(folded) && !/: ?(?:none|no|nothing|n\/a)\b/.test(folded))
      .map(({ sentence }) => ({ text: quoteLine(sentence, LONGEST), value: VALUE.blocked })),
  )
}
