import { joinedText } from '../session/content.ts'
import type { AgentMessage } from '../session/message.ts'
import { sliceSafely } from '../text/clean.ts'

const LINE_LIMIT = 300

/** A failed tool result reduced to its first line; null for results that worked (docs/spec/compaction.md §9). */
export function errorLine(message: AgentMessage): AgentMessage | null {
  if (message.isError !== true) return null
  const text = joinedText(message.content).trim()
  const end = text.indexOf('\n')
  const line = sliceSafely(end < 0 ? text : text.slice(0, end), 0, LINE_LIMIT).trimEnd()
  return { ...message, content: [{ type: 'text', text: line === '' ? '(no output)' : line }] }
}
