import { addAll } from '../add-all.ts'
import { isRecord } from '../is-record.ts'
import { answeredCallOf, type ContentPart, partsOf, stringOf, toolCallsOf } from './content.ts'
import { pairResults } from './pair-results.ts'
import type { LlmMessage } from './to-llm.ts'
import { isInlineImage } from './to-openai.ts'

type Block = Readonly<Record<string, unknown>>

export interface AnthropicMessage {
  readonly role: 'user' | 'assistant'
  readonly content: readonly Block[]
}

function sharedBlock(part: ContentPart): Block | null {
  if (part.type === 'text') {
    const text = stringOf(part['text'])
    return text === '' ? null : { type: 'text', text }
  }
  if (part.type !== 'image') return null
  if (!isInlineImage(part)) return { type: 'text', text: '[image]' }
  return {
    type: 'image',
    source: { type: 'base64', media_type: stringOf(part['mimeType']), data: stringOf(part['data']) },
  }
}

/** Thinking goes back only to the API that signed it; another provider's signature is refused. */
function thinkingBlock(message: LlmMessage, part: ContentPart): Block | null {
  if (!stringOf(message.api).startsWith('anthropic')) return null
  if (part.type === 'redactedThinking') return { type: 'redacted_thinking', data: stringOf(part['data']) }
  const signature = stringOf(part['thinkingSignature'])
  return signature === '' ? null : { type: 'thinking', thinking: stringOf(part['thinking']), signature }
}

function assistantBlocks(message: LlmMessage): readonly Block[] {
  const calls = toolCallsOf(message)[Symbol.iterator]()
  return partsOf(message.content)
    .map((part): Block | null => {
      if (part.type === 'thinking' || part.type === 'redactedThinking') return thinkingBlock(message, part)
      if (part.type !== 'toolCall') return sharedBlock(part)
      const call = calls.next().value
      if (call === undefined) return null
      return { type: 'tool_use', id: call.id, name: call.name, input: isRecord(call.arguments) ? call.arguments : {} }
    })
    .filter((block) => block !== null)
}

function userBlocks(message: LlmMessage): readonly Block[] {
  const content = partsOf(message.content)
    .map(sharedBlock)
    .filter((block) => block !== null)
  if (message.role !== 'toolResult') return content
  const is_error = message.isError === true || undefined
  return [{ type: 'tool_result', tool_use_id: answeredCallOf(message), content, is_error }]
}

/** The context as Anthropic messages: adjacent rows of one role are merged, since the API wants the roles to alternate. */
export function toAnthropic(messages: readonly LlmMessage[]): readonly AnthropicMessage[] {
  const rows: { role: 'user' | 'assistant'; content: Block[] }[] = []
  for (const message of pairResults(messages)) {
    const role = message.role === 'assistant' ? 'assistant' : 'user'
    const blocks = role === 'assistant' ? assistantBlocks(message) : userBlocks(message)
    if (blocks.length === 0) continue
    const last = rows.at(-1)
    if (last?.role === role) addAll(last.content, blocks)
    else rows.push({ role, content: [...blocks] })
  }
  return rows
}
