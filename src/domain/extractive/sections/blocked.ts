import { onlyLooks } from '../../conversation/command-kinds.ts'
import { commandFamilies } from '../../conversation/commands.ts'
import { LABELS } from '../../ledger/cues/patterns.ts'
import { quoteLine } from '../../text/quote.ts'
import type { Digest, Step } from '../digest.ts'
import { distinct, type Item, recent, VALUE } from '../item.ts'

const MOST = 5
const LONGEST = 300
/** A failure that the work went on from for so many steps blocks nothing any more. */
const RECENT_STEPS = 40
const RECENT_SHARE = 0.5

/** Failures without a later success of the same command, newest last, and what the assistant labelled as blocked. */
export function blockedItems(conversation: Digest): Item[] {
  const items = openFailures(conversation)
    .slice(-MOST)
    .map((step) => failureItem(step, conversation.length))
  return distinct([...items, ...labelled(conversation)])
}

/** Failed steps that nothing later got over: not the same command, not the same sort of run, not the same file. */
export function openFailures(conversation: Digest): Step[] {
  const open = new Map<string, Step>()
  const steps = conversation.steps
  const oldest = Math.min(steps.length - RECENT_STEPS, Math.floor(steps.length * (1 - RECENT_SHARE)))
  steps.forEach((step, i) => {
    const keys = subjects(step)
    if (step.outcome.state === 'unknown' || keys.length === 0) return
    for (const key of keys) open.delete(key)
    const last = keys.at(-1)
    if (step.outcome.state === 'failed' && i >= oldest && last !== undefined) open.set(last, step)
  })
  return [...open.values()]
}

/** What a step is about, its main subject last. Looking at things that are not there blocks nobody. */
function subjects(step: Step): string[] {
  if (step.effect === 'shell')
    return onlyLooks(step.command) ? [] : commandFamilies(step.command).map((family) => `family ${family}`)
  if (step.effect === 'read' || step.effect === 'search') return []
  const path = step.touched.modified[0]
  // A text to replace that was not found is looked up again and replaced; the next edit of any file shows that.
  if (step.effect === 'edit' || step.effect === 'patch' || step.effect === 'write')
    return path === undefined ? ['edit'] : [`file ${path}`, 'edit']
  return [`tool ${step.call.name}`]
}

function failureItem(step: Step, length: number): Item {
  const code = step.outcome.exitCode === null ? 'failed' : `exits with code ${step.outcome.exitCode}`
  const what =
    step.effect === 'shell'
      ? `\`${quoteLine(step.command, 160)}\``
      : `${step.call.name} ${step.touched.modified[0] ?? ''}`.trim()
  const errors = step.outcome.errors.map((line) => `  ${quoteLine(line, LONGEST)}`)
  const text = [`${what} ${code}${errors.length > 0 ? ':' : ''}`, ...errors].join('\n')
  const telling = errors.find((line) => /(?:Error|Exception|error)\b/.test(line)) ?? errors[0]
  const shorter = errors.length > 1 ? [`${what} ${code}:\n${telling}`] : []
  return { text, shorter, value: recent(VALUE.blocked, step.at, length) }
}

function labelled(conversation: Digest): Item[] {
  const last = conversation.statements.slice(-3)
  return last.flatMap((statement) =>
    statement.said
      .filter(({ folded }) => LABELS.blocked.test(folded) && !/: ?(?:none|no|nothing|n\/a)\b/.test(folded))
      .map(({ sentence }) => ({ text: quoteLine(sentence, LONGEST), value: VALUE.blocked })),
  )
}
