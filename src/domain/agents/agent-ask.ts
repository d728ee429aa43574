import type { AgentCall } from './agents.ts'
import type { RequestView } from './request-view.ts'
import { withoutLast } from './without-last.ts'

/** What a compaction call asks of us, its own instruction taken out of the conversation. */
export interface AgentAsk {
  /** Rows of the conversation in the wire's own dialect. */
  readonly rows: readonly unknown[]
  /** What the user or a hook added to the agent's instruction; '' where nothing was. */
  readonly focus: string
}

/** Claude Code puts the words of `/compact <words>` and of PreCompact hooks between these. */
const FOCUS = /\nAdditional Instructions:\n/
const REMINDER = '\n\nREMINDER:'

/** The conversation of a call of kind `rows` or `item`, and what shall be kept. */
export function agentAsk(view: RequestView, { ask }: Pick<AgentCall, 'ask'>): AgentAsk {
  if (ask === 'item') return { rows: view.rows.slice(0, -1), focus: '' }
  return { rows: withoutLast(view), focus: focusOf(view.last?.text ?? '') }
}

function focusOf(instruction: string): string {
  const opening = FOCUS.exec(instruction)
  if (opening === null) return ''
  const words = instruction.slice(opening.index + opening[0].length)
  const end = words.lastIndexOf(REMINDER)
  return (end < 0 ? words : words.slice(0, end)).trim()
}
