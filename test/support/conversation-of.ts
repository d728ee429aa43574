import { callOf } from '../../src/domain/conversation/call.ts'
import type { Conversation, Part } from '../../src/domain/conversation/conversation.ts'
import { ConversationBuilder } from '../../src/domain/conversation/conversation-builder.ts'

/** One row of a conversation as tests write it; results answer the calls before them in order. */
export interface ToldRow {
  readonly role: 'user' | 'machine' | 'assistant' | 'result'
  readonly text: string
  readonly thinking?: string
  readonly calls?: readonly { readonly name: string; readonly args: unknown }[]
  readonly isError?: boolean
}

export function conversationOf(rows: readonly ToldRow[]): Conversation {
  const builder = new ConversationBuilder({ unanswered: 'unknown' })
  rows.forEach(({ role, text, thinking = '', calls = [], isError = false }, at) => {
    if (role === 'user') builder.user([at], [text])
    else if (role === 'machine') builder.machine([at], text)
    else if (role === 'result') builder.result([at], { callId: '', text, isError })
    else {
      const parts: Part[] = []
      if (thinking !== '') parts.push({ kind: 'thinking', text: thinking })
      if (text !== '') parts.push({ kind: 'words', text })
      parts.push(...calls.map(({ name, args }) => callOf({ id: '', name, arguments: args })))
      builder.assistant([at], parts)
    }
  })
  return builder.build()
}
