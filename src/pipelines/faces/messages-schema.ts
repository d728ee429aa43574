import { z } from 'zod'

const block = z.looseObject({ type: z.string() })
const content = z.union([z.string(), z.array(block)], 'expected a text or a list of blocks')
const instructions = z.string().nullish()

/** Anthropic's message request, as far as a summary needs it (docs/spec/faces.md §2). */
export const messagesRequest = z.looseObject({
  model: z.string().nullish().describe('Unknown ids mean the default chain: agents send their own.'),
  max_tokens: z.int().min(1).nullish(),
  system: content.nullish(),
  messages: z.array(z.looseObject({ role: z.string(), content: content.nullish() })).min(1),
  stream: z.boolean().nullish(),
  context_management: z
    .looseObject({ edits: z.array(z.looseObject({ type: z.string(), instructions })).nullish() })
    .nullish(),
  compaction: z.looseObject({ type: z.string().nullish(), instructions }).nullish(),
})

export const messagesResult = z.object({
  id: z.string(),
  type: z.literal('message'),
  role: z.literal('assistant'),
  model: z.string(),
  content: z.array(z.object({ type: z.literal('text'), text: z.string() })),
  stop_reason: z.literal('end_turn'),
  stop_sequence: z.null(),
  usage: z.object({ input_tokens: z.int(), output_tokens: z.int() }),
})

export type MessagesRequest = z.output<typeof messagesRequest>
