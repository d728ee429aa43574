import { z } from 'zod'
import type { Conversation } from '../../domain/conversation/conversation.ts'
import { parseMessages } from '../../domain/dialects/parse-messages.ts'
import { rowsToConversation } from '../../domain/dialects/rows-to-conversation.ts'
import { messageSchema } from '../../domain/session/message.ts'
import { messagesToConversation } from '../../domain/session/messages-to-conversation.ts'
import { contextResult } from '../../pipelines/context-schema.ts'
import { wrappersOf } from '../../pipelines/summary-wrappers.ts'
import type { OpenPipelines } from './open-pipelines.ts'
import type { Input } from './read-input.ts'
import { runEndpoint } from './run-endpoint.ts'

/** Everything that is live in a file, as one conversation; an earlier summary is its beginning. */
export async function wholeConversation(
  pipelines: OpenPipelines,
  input: Input,
  signal: AbortSignal,
): Promise<Conversation> {
  // As the agent holds it: other forms say less about who spoke.
  const call = { endpoint: 'context', input, parameters: { format: 'pi' } } as const
  const { messages, source } = contextResult.parse(JSON.parse(await runEndpoint(pipelines, call, signal)))
  return source === 'pi'
    ? messagesToConversation(z.array(messageSchema).parse(messages), wrappersOf(pipelines.deps.prompts))
    : rowsToConversation(parseMessages(messages).rows)
}
