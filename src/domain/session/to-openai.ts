import { answeredCallOf, type ContentPart, joinedText, partsOf, stringOf, toolCallsOf } from './content.ts'
import { pairResults } from './pair-results.ts'
import type { LlmMessage } from './to-llm.ts'

export type OpenAiMessage = Readonly<Record<string, unknown>>

/** A blob reference points into the agent's own store: nobody else can load it. */
export function isInlineImage(part: ContentPart): boolean {
  const data = stringOf(part['data'])
  return part.type === 'image' && data !== '' && !data.startsWith('blob:')
}

function partOf(part: ContentPart): Readonly<Record<string, unknown>> | null {
  if (part.type === 'text') return { type: 'text', text: stringOf(part['text']) }
  if (part.type !== 'image') return null
  if (!isInlineImage(part)) return { type: 'text', text: '[image]' }
  return {
    type: 'image_url',
    image_url: { url: `data:${stringOf(part['mimeType'])};base64,${stringOf(part['data'])}` },
  }
}

function spoken(content: unknown): unknown {
  const parts = partsOf(content)
  if (parts.every((part) => part.type === 'text')) return joinedText(content)
  return parts.map(partOf).filter((part) => part !== null)
}

function assistantOf(message: LlmMessage): OpenAiMessage | null {
  const content = joinedText(message.content)
  const calls = toolCallsOf(message)
  // An aborted answer may hold nothing, which providers refuse (docs/bug-log.md B126).
  if (content === '' && calls.length === 0) return null
  if (calls.length === 0) return { role: 'assistant', content }
  const tool_calls = calls.map((call) => ({
    id: call.id,
    type: 'function',
    function: { name: call.name, arguments: JSON.stringify(call.arguments ?? {}) },
  }))
  return { role: 'assistant', content: content === '' ? null : content, tool_calls }
}

function resultText(message: LlmMessage): string {
  return partsOf(message.content)
    .map((part) => (part.type === 'image' ? '[image]' : stringOf(part['text'])))
    .join('')
}

function convert(message: LlmMessage): OpenAiMessage | null {
  switch (message.role) {
    case 'assistant':
      return assistantOf(message)
    case 'toolResult':
      return { role: 'tool', tool_call_id: answeredCallOf(message), content: resultText(message) }
    default: {
      const content = spoken(message.content)
      return content === '' ? null : { role: message.role, content }
    }
  }
}

/** The context as OpenAI chat messages; calls and results are paired, thinking stays out, images in results become `[image]`. */
export function toOpenAi(messages: readonly LlmMessage[]): readonly OpenAiMessage[] {
  return pairResults(messages)
    .map(convert)
    .filter((message) => message !== null)
}
