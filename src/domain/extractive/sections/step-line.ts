import { normalizedCommand } from '../../conversation/commands.ts'
import { quoteLine } from '../../text/quote.ts'
import type { Step } from '../digest.ts'

const VERBS: Partial<Record<Step['effect'], string>> = {
  read: 'read',
  write: 'wrote',
  edit: 'edited',
  patch: 'patched',
}

/** One step in a few words: what was done to what, and whether it failed. */
export function stepLine(step: Step): string {
  const outcome =
    step.outcome.state === 'failed' ? ` (${failure(step)})` : step.outcome.state === 'unknown' ? ' (no result yet)' : ''
  return `${subject(step)}${outcome}`
}

function failure(step: Step): string {
  return step.outcome.exitCode === null ? 'failed' : `exit code ${step.outcome.exitCode}`
}

function subject(step: Step): string {
  if (step.effect === 'shell' && step.command !== '')
    return `ran \`${quoteLine(normalizedCommand(step.command), 120)}\``
  const files = [...step.touched.modified, ...step.touched.read]
  if (files.length > 0) return `${VERBS[step.effect] ?? step.call.name} ${files.slice(0, 3).join(', ')}`
  return `called ${step.call.name}`
}
