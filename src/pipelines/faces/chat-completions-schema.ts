import { z } from 'zod'

const textPart = z.looseObject({ type: z.string().optional(), text: z.string().optional() })
const content = z.union([z.string(), z.array(textPart)], 'expected a text or a list of text parts').nullish()

/** OpenAI's chat request, as far as a summary needs it (docs/spec/contract.md §2). */
export const chatCompletionRequest = z.looseObject({
  model: z.string().nullish().describe('Unknown ids mean the default chain: agents send their own.'),
  messages: z.array(z.looseObject({ role: z.string(), content })).min(1),
  max_tokens: z.int().min(1).nullish(),
  max_completion_tokens: z.int().min(1).nullish(),
  stream: z.boolean().nullish(),
})

export const chatCompletionResult = z.object({
  id: z.string(),
  object: z.literal('chat.completion'),
  created: z.int().describe('Seconds since the epoch.'),
  model: z.string(),
  choices: z.array(
    z.object({
      index: z.int(),
      message: z.object({ role: z.literal('assistant'), content: z.string(), refusal: z.null() }),
      finish_reason: z.literal('stop'),
      logprobs: z.null(),
    }),
  ),
  usage: z.object({ prompt_tokens: z.int(), completion_tokens: z.int(), total_tokens: z.int() }),
})

export type ChatCompletionRequest = z.output<typeof chatCompletionRequest>
