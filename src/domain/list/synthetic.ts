import { isBlank, type Row, roleOf, textOf } from '../dialects/row.ts'

/** What an agent is told to send after a threshold compaction (http-api §3a). */
export const CONTINUE_PROMPT = 'Continue if you have next steps.'

// Rows in a user's name that agents write themselves: wholly inside one of these tags, or one of these sentences.
const AGENT_TAG = /^<(system-reminder|environment_context|user_instructions|turn_aborted|local-command-stdout)>/
const AGENT_LINES: ReadonlySet<string> = new Set([
  CONTINUE_PROMPT,
  '[Request interrupted by user]',
  '[Request interrupted by user for tool use]',
])
const TODO_SNAPSHOT = /^\[Your active task list/

/** A user row nobody typed: a continuation prompt, a todo snapshot, an agent's reminder. */
export function isSyntheticText(text: string): boolean {
  const trimmed = text.trim()
  if (AGENT_LINES.has(trimmed) || TODO_SNAPSHOT.test(trimmed)) return true
  const tag = AGENT_TAG.exec(trimmed)?.[1]
  return tag !== undefined && trimmed.indexOf(`</${tag}>`) === trimmed.length - tag.length - 3
}

/** A turn of a real user that asks for something; handoffs must have been unwrapped before (hermes-spec §5.2). */
export function isActionableUser(row: Row): boolean {
  const { message } = row
  if (roleOf(message) !== 'user' || isBlank(message.content)) return false
  const text = textOf(message.content)
  return text.trim() === '' || !isSyntheticText(text)
}
