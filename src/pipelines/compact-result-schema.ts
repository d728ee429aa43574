import { z } from 'zod'
import type { DeepReadonly } from '../domain/deep-readonly.ts'
import { SESSION_SOURCES } from '../domain/dialects/session-file.ts'
import { callRow, usage } from '../models/rows.ts'
import { auditResult } from './audit-schema.ts'
import { promptRow } from './prompt-rows.ts'

const fate = z.enum(['kept', 'summarized', 'turn-prefix', 'pruned', 'clipped', 'carried', 'ignored'])
const coverageRow = z.object({ id: z.string().optional(), index: z.int().optional(), fate, tokens: z.int() })
const progressResult = z.object({ tokensBefore: z.int(), tokensAfter: z.int(), madeProgress: z.boolean() })
const method = z.enum(['model', 'fold', 'moa', 'remote', 'extractive', 'hook', 'prune', 'prepared', 'none'])
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

export const source = z.enum(SESSION_SOURCES).describe('What the body was read as.')

const common = {
  compacted: z.boolean(),
  reason: reason.optional().describe('Why nothing was compacted; apply what `pruned` lists and change nothing else.'),
  method: method.describe('What really happened.'),
  progress: progressResult,
  audit: auditResult.optional(),
  calls: z.array(callRow),
  usage: usage.describe('Of all calls, including answers that were paid for and thrown away.'),
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

const planResult = z.object({
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
    .describe('What the agent continues with.'),
  next: z.object({ willRetry: z.boolean(), dropEntryId: z.string().nullable(), continuePrompt: z.string().nullable() }),
})

const compactMessagesResult = z.object({
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

/** What `ahead: true` answers. */
const compactAheadResult = z.object({
  prepared: z.boolean().describe('True: a later compaction of these entries or messages uses it.'),
  reason: z
    .enum([...reason.options, 'not-kept'])
    .optional()
    .describe('Why nothing was prepared.'),
  expiresAt: z.iso.datetime().optional().describe('Until when it is kept.'),
  plan: z
    .union([planResult, z.object({ boundaries: z.object({ start: z.int(), end: z.int() }) })])
    .optional()
    .describe('What it covers.'),
  calls: z.array(callRow),
  usage,
  degraded: z.boolean(),
  warnings: z.array(z.string()),
})

/** The answer of POST /compact. */
export const compactResult = z.union([
  compactSessionResult.extend({ source }),
  compactMessagesResult.extend({ source }),
  compactAheadResult.extend({ source }),
])

export type CompactResult = DeepReadonly<z.input<typeof compactResult>>
export type CompactSessionResult = DeepReadonly<z.input<typeof compactSessionResult>>
export type CompactMessagesResult = DeepReadonly<z.input<typeof compactMessagesResult>>
export type CompactAheadResult = DeepReadonly<z.input<typeof compactAheadResult>>
