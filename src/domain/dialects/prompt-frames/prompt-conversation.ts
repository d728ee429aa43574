import type { Conversation } from '../../conversation/conversation.ts'
import { blocksToConversation } from '../../transcript/blocks-to-conversation.ts'
import { findMessageList } from '../../transcript/json-messages.ts'
import { parseBlocks } from '../../transcript/parse-blocks.ts'
import type { ParsedPrompt } from '../../transcript/parse-prompt.ts'
import { parseMessages } from '../parse-messages.ts'
import { rowsToConversation } from '../rows-to-conversation.ts'

/** The conversation of a prompt, whether its frame holds labelled blocks or a JSON list of messages of any dialect. */
export function promptConversation({ conversation }: Pick<ParsedPrompt, 'conversation'>): Conversation {
  return listed(conversation) ?? blocksToConversation(parseBlocks(conversation))
}

function listed(conversation: string): Conversation | null {
  const list = conversation.startsWith('[') && conversation.endsWith(']') ? findMessageList(conversation) : null
  if (list === null) return null
  try {
    return rowsToConversation(parseMessages(list.messages).rows)
  } catch {
    // Messages of no dialect that is known: text, as it was before.
    return null
  }
}
