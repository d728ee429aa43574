import { z } from 'zod'
import { DIALECTS } from '../domain/dialects/codec.ts'
import { entriesSchema } from '../domain/session/check-entries.ts'

const tokens = z.int().positive()

export const compactionSettings = z.looseObject({
  enabled: z.boolean().optional().describe('false blocks threshold, idle and overflow, never manual.'),
  reserveTokens: tokens.optional().describe('16384, less where the window is small.'),
  keepRecentTokens: tokens.optional().describe('20000, less where the window is small.'),
  autoContinue: z.boolean().optional(),
  thresholdPercent: z.number().optional().describe('1 to 99; wins over the reserve. 0 or less: not set.'),
  thresholdTokens: z.number().optional().describe('Wins over both. 0 or less: not set.'),
})

export const pruneSettings = z.looseObject({
  protectTokens: z.int().nonnegative().optional().describe('Newest tokens of tool output that stay; 40000.'),
  minimumSavings: z.int().nonnegative().optional().describe('Less than this in total changes nothing; 20000.'),
  protectedTools: z.array(z.string()).optional().describe('Never pruned; skill and read.'),
})

const iterationBudget = z.looseObject({ max: z.int().nonnegative(), used: z.int().nonnegative() })
export const lastUsage = z.looseObject({ promptTokens: z.number().nonnegative().nullable() })
const ratio = z.number().gt(0).lte(1)

/** A session or a list, never both, never neither. */
export const entriesOrMessages: z.core.CheckFn<{ readonly entries?: unknown; readonly messages?: unknown }> = (
  context,
) => {
  const { entries, messages } = context.value
  if ((entries === undefined) !== (messages === undefined)) return
  context.issues.push({
    code: 'custom',
    path: [],
    message: 'exactly one of entries and messages is needed',
    input: undefined,
  })
}

/** The body of POST /compact: exactly one of `entries` and `messages`, and what steers the pass (docs/spec/contract.md §3). */
export const compactRequest = z
  .looseObject({
    entries: entriesSchema.optional(),
    leafId: z.string().nullish().describe('Default: the last entry.'),
    messages: z
      .array(z.unknown())
      .optional()
      .describe('A list of one dialect; a row that no dialect knows is refused.'),
    format: z.enum(DIALECTS).optional().describe('Found from the rows when absent.'),
    model: z.string().min(1).optional(),
    strategy: z
      .string()
      .regex(/^(single|moa\/.+)$/, 'expected single or moa/<name>')
      .optional(),
    maxTokens: tokens
      .optional()
      .describe("Cap of the summary's text, not counting its file tags; at most what the reserve allows."),
    contextWindow: z
      .int()
      .nonnegative()
      .optional()
      .describe("Tokens of the agent's model; default: the first candidate's."),
    reason: z.enum(['manual', 'threshold', 'overflow', 'idle']).default('manual'),
    customInstructions: z.string().optional(),
    settings: compactionSettings.optional(),
    sessionId: z
      .string()
      .min(1)
      .max(512)
      .optional()
      .describe('Of a session with an id, one compaction runs at a time.'),
    additionalContext: z.array(z.string()).optional(),
    promptOverride: z.string().optional(),
    preserveData: z.record(z.string(), z.unknown()).optional(),
    shortSummary: z.boolean().optional().describe('Sessions: true by default.'),
    onFailure: z
      .enum(['error', 'fallback'])
      .default('error')
      .describe('fallback: a summary without a language model when all models fail.'),
    prune: z.union([z.boolean(), pruneSettings], 'expected true, false or an object of settings').optional(),
    lastUsage: lastUsage.optional().describe('A real prompt count since the last pass.'),
    iterationBudget: iterationBudget.optional(),
    pinned: z.array(z.string()).optional().describe('Copied verbatim into every summary.'),
    attempt: z.int().min(1).optional(),
    maxAttempts: z.int().min(1).default(3),
    state: z.string().optional().describe('Opaque, from the last response.'),
    force: z.boolean().optional().describe('Ends cooldown and strikes first.'),
    returnContext: z.boolean().default(true),
    coverage: z.boolean().default(false).describe('One row per input entry or message in the plan.'),
    dryRun: z.boolean().default(false),
    ahead: z
      .boolean()
      .default(false)
      .describe('Makes the summary now and keeps it; the compaction that needs it later asks no model.'),
    system: z.unknown().optional().describe("Lists: the agent's system prompt, counted."),
    tools: z.unknown().optional().describe("Lists: the agent's tool schemas, counted."),
    protect: z
      .looseObject({ first: z.int().nonnegative().optional(), last: z.int().nonnegative().optional() })
      .optional()
      .describe('Lists: messages kept at both ends; 3 and 20.'),
    threshold: ratio.optional().describe('Lists: ratio of the window.'),
    thresholdTokens: tokens.optional().describe('Lists: absolute cap of the threshold.'),
    maxOutputTokens: z.int().nonnegative().optional(),
    focus: z.string().optional(),
  })
  .check(entriesOrMessages)

export type CompactRequest = z.output<typeof compactRequest>
