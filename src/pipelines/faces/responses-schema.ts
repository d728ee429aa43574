import { z } from 'zod'

const input = z.union([z.string(), z.array(z.unknown())], 'expected a text or a list of items')

/** OpenAI's compaction call, as far as it concerns a summary; other fields that clients send are ignored. */
export const responsesCompactRequest = z.looseObject({
  model: z.string().nullish().describe('Unknown ids mean the default chain: agents send their own.'),
  input: input.nullish(),
  instructions: z
    .string()
    .nullish()
    .describe('What the summary should heed; an agent’s own system prompt (over 2,000 characters) is ignored.'),
  previous_response_id: z.string().nullish().describe('Refused with 422: nothing is stored here.'),
})

/** OpenAI's response request: a compaction where the last item is a `compaction_trigger`, else a summary of the input. */
export const responsesRequest = z.looseObject({
  ...responsesCompactRequest.shape,
  max_output_tokens: z.int().min(1).nullish(),
  stream: z.boolean().nullish(),
})

const usage = z.object({
  input_tokens: z.int(),
  input_tokens_details: z.object({ cached_tokens: z.int() }),
  output_tokens: z.int(),
  output_tokens_details: z.object({ reasoning_tokens: z.int() }),
  total_tokens: z.int(),
})

const item = z.looseObject({ type: z.string().optional() })

export const responsesCompactResult = z.object({
  id: z.string(),
  object: z.literal('response.compaction'),
  created_at: z.int().describe('Seconds since the epoch.'),
  output: z
    .array(item)
    .describe('The messages of the user, system and developer as they came, then one compaction item.'),
  usage,
})

export const responsesResult = z.looseObject({
  id: z.string(),
  object: z.literal('response'),
  created_at: z.int().describe('Seconds since the epoch.'),
  status: z.literal('completed'),
  model: z.string(),
  output: z.array(item),
  usage,
})

export type ResponsesCompactRequest = z.output<typeof responsesCompactRequest>
export type ResponsesRequest = z.output<typeof responsesRequest>
