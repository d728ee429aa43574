import { z } from 'zod'
import type { DeepReadonly } from '../domain/deep-readonly.ts'
import { entriesSchema } from '../domain/session/check-entries.ts'
import { callRow, usage } from '../models/rows.ts'
import { auditResult } from './audit-schema.ts'
import { promptRow } from './prompt-rows.ts'

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

/** The body of POST /compact: exactly one of `entries` and `messages`, and what steers the pass (http-api §3). */
export const compactRequest = z
  .looseObject({
    entries: entriesSchema.optional(),
    leafId: z.string().nullish().describe('Default: the last entry.'),
    messages: z.array(z.unknown()).optional().describe('OpenAI chat, Anthropic or Responses messages.'),
    format: z.enum(['openai', 'anthropic', 'responses']).optional().describe('Detected from the shapes when absent.'),
    model: z.string().min(1).optional(),
    strategy: z
      .string()
      .regex(/^(single|moa\/.+)$/, 'expected single or moa/<name>')
      .optional(),
    contextWindow: z
      .int()
      .nonnegative()
      .optional()
      .describe("Tokens of the agent's model; default: the first candidate's."),
    reason: z.enum(['manual', 'threshold', 'overflow', 'idle']).default('manual'),
    customInstructions: z.string().optional(),
    settings: compactionSettings.optional(),
    sessionId: z.string().min(1).max(512).optional().describe('One compaction of it at a time.'),
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

const fate = z.enum(['kept', 'summarized', 'turn-prefix', 'pruned', 'clipped', 'carried', 'ignored'])
export const coverageRow = z.object({ id: z.string().optional(), index: z.int().optional(), fate, tokens: z.int() })
export const progressResult = z.object({ tokensBefore: z.int(), tokensAfter: z.int(), madeProgress: z.boolean() })
const method = z.enum(['model', 'fold', 'moa', 'remote', 'extractive', 'hook', 'prune', 'none'])
const reason = z.enum([
  'already-compacted',
  'nothing-to-compact',
  'cancelled-by-hook',
  'disabled',
  'below-threshold',
  'cooldown',
  'ineffective',
  'inflated',
  'dry-run',
])
const iterationBudgetAfter = z.object({
  max: z.int(),
  used: z.int(),
  remaining: z.int(),
  refunded: z.union([z.literal(0), z.literal(1)]),
})

const common = {
  compacted: z.boolean(),
  reason: reason.optional().describe('Why nothing changed; nothing else is to be changed but what `pruned` lists.'),
  method: method.describe('What really happened.'),
  progress: progressResult,
  audit: auditResult.optional(),
  calls: z.array(callRow),
  usage: usage.describe('Of all calls, answers that were paid for and thrown away included.'),
  degraded: z.boolean(),
  warnings: z.array(z.string()),
  prompts: z.array(promptRow).optional().describe('Of a dry run.'),
  iterationBudget: iterationBudgetAfter.optional(),
  state: z.string(),
}

export const prunedResult = z.object({
  count: z.int(),
  tokensSaved: z.int(),
  entries: z.array(z.object({ id: z.string(), text: z.string(), tokens: z.int().describe('Before pruning.') })),
})

export const planResult = z.object({
  firstKeptEntryId: z.string(),
  isSplitTurn: z.boolean(),
  summarizedEntryIds: z.array(z.string()),
  turnPrefixEntryIds: z.array(z.string()),
  keptEntryIds: z.array(z.string()),
  keepRecentTokens: z.int(),
  tokens: z.object({ history: z.int(), turnPrefix: z.int(), kept: z.int() }),
  coverage: z.array(coverageRow).optional(),
})

export const compactSessionResult = z.object({
  ...common,
  entry: z
    .looseObject({
      type: z.literal('compaction'),
      id: z.string(),
      parentId: z.string().nullable(),
      timestamp: z.string(),
      summary: z.string(),
      shortSummary: z.string().optional(),
      firstKeptEntryId: z.string(),
      tokensBefore: z.int(),
      details: z.unknown().optional(),
      preserveData: z.record(z.string(), z.unknown()),
      fromExtension: z.boolean().optional(),
    })
    .optional()
    .describe('Append it to the session file.'),
  plan: planResult.optional(),
  pruned: prunedResult,
  context: z
    .object({ messages: z.array(z.unknown()) })
    .optional()
    .describe('What the agent goes on with.'),
  next: z.object({ willRetry: z.boolean(), dropEntryId: z.string().nullable(), continuePrompt: z.string().nullable() }),
})

export const compactMessagesResult = z.object({
  ...common,
  messages: z.array(z.unknown()).describe('In the format they came in; untouched when nothing was compacted.'),
  summary: z.string().optional(),
  boundaries: z.object({ start: z.int(), end: z.int().describe('Exclusive.') }),
  plan: z
    .object({ coverage: z.array(coverageRow) })
    .optional()
    .describe('Where coverage was asked for.'),
  droppedCount: z.int(),
  fallbackUsed: z.boolean(),
  noLiveUserTurn: z.boolean(),
  validity: z.object({
    pairs: z.boolean(),
    alternation: z.boolean(),
    repaired: z.array(z.object({ index: z.int(), what: z.string() })),
  }),
  next: z.object({ resetSession: z.boolean() }),
})

export type CompactSessionResult = DeepReadonly<z.input<typeof compactSessionResult>>
export type CompactMessagesResult = DeepReadonly<z.input<typeof compactMessagesResult>>
