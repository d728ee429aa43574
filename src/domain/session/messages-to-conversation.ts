import { callOf } from '../conversation/call.ts'
import type { Conversation, Media, Part } from '../conversation/conversation.ts'
import { ConversationBuilder } from '../conversation/conversation-builder.ts'
import { answeredCallOf, type ContentPart, partsOf, stringOf, toolCallsOf } from './content.ts'
import type { AgentMessage } from './message.ts'
import { llmMessageOf, type SummaryWrappers } from './to-llm.ts'

/** Messages of a session or a branch as the one conversation value; rows are positions in `messages`. */
export function messagesToConversation(messages: readonly AgentMessage[], wrappers: SummaryWrappers): Conversation {
  const builder = new ConversationBuilder({ unanswered: 'interrupted' })
  messages.forEach((message, at) => {
    const sent = llmMessageOf(message, wrappers)
    if (sent !== null) addMessage(builder, { rows: [at], message, sent })
  })
  return builder.build()
}

function addMessage(
  builder: ConversationBuilder,
  {
    rows,
    message,
    sent,
  }: { readonly rows: readonly number[]; readonly message: AgentMessage; readonly sent: AgentMessage },
): void {
  const parts = partsOf(sent.content)
  const { role } = message
  if (role === 'user') builder.user(rows, textsOf(parts), mediaOf(parts))
  else if (role === 'assistant') builder.assistant(rows, assistantParts(sent, parts))
  else if (role === 'toolResult')
    builder.result(rows, {
      callId: answeredCallOf(sent),
      name: stringOf(sent.toolName),
      text: textWithImages(parts, ''),
      isError: sent.isError === true,
      media: mediaOf(parts),
    })
  else if (role === 'branchSummary' || role === 'compactionSummary')
    builder.summary(rows, message.summary ?? '', textWithImages(parts, ''))
  else if (role === 'bashExecution' || role === 'pythonExecution') builder.notice(rows, textWithImages(parts, ''))
  else builder.machine(rows, textWithImages(parts, ''))
}

function assistantParts(sent: AgentMessage, parts: readonly ContentPart[]): Part[] {
  const thoughts = parts.some(({ type }) => type === 'thinking') ? thoughtsIn(parts) : ''
  const text = textWithImages(parts, '\n')
  const calls: Part[] = toolCallsOf(sent).map(callOf)
  const words: Part[] = text === '' ? calls : [{ kind: 'words', text }, ...calls]
  return thoughts === '' ? words : [{ kind: 'thinking', text: thoughts }, ...words]
}

function thoughtsIn(parts: readonly ContentPart[]): string {
  const thoughts = parts.filter(({ type }) => type === 'thinking').map((part) => stringOf(part['thinking']))
  return thoughts.every((each) => each === '') ? '' : thoughts.join('\n')
}

/** Text parts joined, each image named on a line of its own and never sent (docs/bug-log.md B115 to B117). */
function textWithImages(parts: readonly ContentPart[], between: string): string {
  let text = ''
  let last = ''
  for (const part of parts) {
    if (part.type !== 'text' && part.type !== 'image') continue
    const isImageBeside = part.type === 'image' || last === 'image'
    if (last !== '') text += isImageBeside ? '\n' : between
    text += part.type === 'image' ? '[image]' : stringOf(part['text'])
    last = part.type
  }
  return text
}

/** Parts of a user message are one text: agents split it only around what they put in. */
function textsOf(parts: readonly ContentPart[]): string[] {
  return parts.flatMap((part) => (part.type === 'text' ? [stringOf(part['text'])] : []))
}

const NO_MEDIA: readonly Media[] = []

function mediaOf(parts: readonly ContentPart[]): readonly Media[] {
  if (!parts.some(({ type }) => type === 'image')) return NO_MEDIA
  return parts.flatMap((part) => (part.type === 'image' ? [{ kind: 'media', media: 'image', name: '' } as const] : []))
}
