import { callOf } from '../conversation/call.ts'
import type { Conversation, Media, Part } from '../conversation/conversation.ts'
import { ConversationBuilder } from '../conversation/conversation-builder.ts'
import { answeredCallOf, type ContentPart, partsOf, stringOf, toolCallsOf } from './content.ts'
import type { AgentMessage } from './message.ts'
import { type SummaryWrappers, toldMessage } from './to-llm.ts'

/** Messages of a session or a branch as the one conversation value; rows are positions in `messages`. */
export function messagesToConversation(messages: readonly AgentMessage[], wrappers: SummaryWrappers): Conversation {
  const builder = new ConversationBuilder({ unanswered: 'interrupted' })
  messages.forEach((message, at) => {
    const told = toldMessage(message, wrappers)
    if (told !== null) addMessage(builder, { rows: [at], message, told })
  })
  return builder.build()
}

function addMessage(
  builder: ConversationBuilder,
  {
    rows,
    message,
    told,
  }: { readonly rows: readonly number[]; readonly message: AgentMessage; readonly told: AgentMessage },
): void {
  const parts = partsOf(told.content)
  const { role } = message
  if (role === 'user') builder.user(rows, textsOf(parts), mediaOf(parts))
  else if (role === 'assistant') builder.assistant(rows, assistantParts(told, parts))
  else if (role === 'toolResult')
    builder.result(rows, {
      callId: answeredCallOf(told),
      name: stringOf(told.toolName),
      text: toldText(parts, ''),
      isError: told.isError === true,
      media: mediaOf(parts),
    })
  else if (role === 'branchSummary' || role === 'compactionSummary')
    builder.summary(rows, message.summary ?? '', toldText(parts, ''))
  else if (role === 'bashExecution' || role === 'pythonExecution') builder.notice(rows, toldText(parts, ''))
  else builder.machine(rows, toldText(parts, ''))
}

function assistantParts(told: AgentMessage, parts: readonly ContentPart[]): Part[] {
  const said: Part[] = []
  const thoughts = parts.some(({ type }) => type === 'thinking') ? thoughtsIn(parts) : ''
  if (thoughts !== '') said.push({ kind: 'thinking', text: thoughts })
  const text = toldText(parts, '\n')
  if (text !== '') said.push({ kind: 'words', text })
  for (const call of toolCallsOf(told)) said.push(callOf(call))
  return said
}

function thoughtsIn(parts: readonly ContentPart[]): string {
  const thoughts = parts.filter(({ type }) => type === 'thinking').map((part) => stringOf(part['thinking']))
  return thoughts.every((each) => each === '') ? '' : thoughts.join('\n')
}

/** Text parts joined, each image named on a line of its own and never sent (docs/bug-log.md B115 to B117). */
function toldText(parts: readonly ContentPart[], between: string): string {
  let told = ''
  let last = ''
  for (const part of parts) {
    if (part.type !== 'text' && part.type !== 'image') continue
    const isImageBeside = part.type === 'image' || last === 'image'
    if (last !== '') told += isImageBeside ? '\n' : between
    told += part.type === 'image' ? '[image]' : stringOf(part['text'])
    last = part.type
  }
  return told
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
