import { answeredCallOf, textOf, toolCallsOf } from './content.ts'
import type { LlmMessage } from './to-llm.ts'

const INTERRUPTED = 'No result: the call was interrupted.'

function interrupted(toolCallId: string, toolName: string): LlmMessage {
  return { role: 'toolResult', toolCallId, toolName, content: [{ type: 'text', text: INTERRUPTED }], isError: true }
}

/** For every call its first answer: a map from call message and id to the result message. */
function answersOf(messages: readonly LlmMessage[]): {
  of: Map<LlmMessage, Map<string, LlmMessage>>
  used: Set<LlmMessage>
} {
  const open = new Map<string, LlmMessage>()
  const of = new Map<LlmMessage, Map<string, LlmMessage>>()
  const used = new Set<LlmMessage>()
  for (const message of messages) {
    for (const call of toolCallsOf(message)) open.set(call.id, message)
    if (message.role !== 'toolResult') continue
    const id = answeredCallOf(message)
    const owner = open.get(id)
    if (owner === undefined) continue
    open.delete(id)
    const answers = of.get(owner) ?? new Map<string, LlmMessage>()
    of.set(owner, answers.set(id, message))
    used.add(message)
  }
  return { of, used }
}

function orphanText(message: LlmMessage): LlmMessage | null {
  const text = textOf(message.content)
  return text === '' ? null : { role: 'user', content: [{ type: 'text', text: `[Tool result]: ${text}` }] }
}

/**
 * Messages in an order every provider takes: results directly behind their calls, one a call, an "interrupted" result for a
 * call that never got one (bug-log B011), an orphan or second result told as the user's text (B001, B004).
 */
export function pairResults(messages: readonly LlmMessage[]): readonly LlmMessage[] {
  const { of, used } = answersOf(messages)
  const paired: LlmMessage[] = []
  for (const message of messages) {
    if (message.role === 'toolResult') {
      const orphan = used.has(message) ? null : orphanText(message)
      if (orphan !== null) paired.push(orphan)
      continue
    }
    paired.push(message)
    for (const call of toolCallsOf(message))
      paired.push(of.get(message)?.get(call.id) ?? interrupted(call.id, call.name))
  }
  return paired
}
