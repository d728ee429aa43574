import { joinedText, toolCallsOf } from './content.ts'
import { pairMessages } from './pair-messages.ts'
import type { LlmMessage } from './to-llm.ts'

const INTERRUPTED = 'No result: the call was interrupted.'

function interrupted(toolCallId: string, toolName: string): LlmMessage {
  return { role: 'toolResult', toolCallId, toolName, content: [{ type: 'text', text: INTERRUPTED }], isError: true }
}

function orphanText(message: LlmMessage): LlmMessage | null {
  const text = joinedText(message.content)
  return text === '' ? null : { role: 'user', content: [{ type: 'text', text: `[Tool result]: ${text}` }] }
}

/**
 * Messages in an order every provider takes: results directly after their calls, one a call, an "interrupted" result for a
 * call that never got one (docs/bug-log.md B011), an orphan or second result as the user's text (B001, B004).
 */
export function pairResults(messages: readonly LlmMessage[]): readonly LlmMessage[] {
  const { callers, results } = pairMessages(messages)
  const paired: LlmMessage[] = []
  messages.forEach((message, at) => {
    if (message.role === 'toolResult') {
      const orphan = (callers[at] ?? -1) >= 0 ? null : orphanText(message)
      if (orphan !== null) paired.push(orphan)
      return
    }
    paired.push(message)
    toolCallsOf(message).forEach((call, n) => {
      paired.push(messages[results.get(at)?.[n] ?? -1] ?? interrupted(call.id, call.name))
    })
  })
  return paired
}
