import { isRecord } from '../is-record.ts'
import { joinedText, stringOf } from './content.ts'
import type { Entry } from './entry.ts'
import type { AgentMessage } from './message.ts'

/**
 * The system prompt that newer agents store in their tree: a message of role `system`, its text in `sections`, and in compaction
 * entries as `systemMessage`. It stands beside the conversation: never summarized, never weighed, and a compaction leaves it be.
 */
export function systemMessageOf(path: readonly Entry[]): AgentMessage | null {
  for (const entry of path.toReversed()) {
    const message = entry.type === 'message' ? entry.message : entry['systemMessage']
    if (isSystem(message)) return message
  }
  return null
}

export function isSystem(message: unknown): message is AgentMessage {
  return isRecord(message) && message['role'] === 'system'
}

/** Content and sections as one text, sections by a blank line apart. */
export function systemText(message: AgentMessage): string {
  const { sections } = message
  const told = (Array.isArray(sections) ? sections : []).map((section: unknown) =>
    isRecord(section) ? stringOf(section['text']) || joinedText(section['content']) : stringOf(section),
  )
  return [joinedText(message.content), ...told].filter((text) => text !== '').join('\n\n')
}
