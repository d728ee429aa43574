import { z } from 'zod'
import type { ErrorCode } from '../../domain/errors.ts'
import { branchSummaryRequest, branchSummaryResult } from '../../pipelines/branch/schema.ts'
import {
  checkRequest,
  checkResult,
  contextRequest,
  contextResult,
  pruneRequest,
  pruneResult,
} from '../../pipelines/check-schema.ts'
import { compactMessagesResult, compactRequest, compactSessionResult } from '../../pipelines/compact-schema.ts'
import { COMMON_PROBLEMS, MODEL_PROBLEMS, type Operation } from './operation.ts'
import { EXAMPLE_ENTRIES } from './session-example.ts'

/** Problems of the entries themselves. */
const SESSION_PROBLEMS: readonly ErrorCode[] = ['unknown-leaf', 'broken-tree', 'no-entries']

/** The endpoints that take whole sessions or message lists. */
export const SESSION_OPERATIONS: readonly Operation[] = [
  {
    method: 'post',
    path: '/compact',
    operationId: 'compact',
    tag: 'sessions',
    summary: 'Compact a session or a message list',
    description:
      'Exactly one of `entries` (a pi/omp session) and `messages` (OpenAI chat, Anthropic, Responses). Answers with the compaction entry to append and the context to go on with, or with a smaller list of the same format. `compacted: false` is no failure: `reason` says why nothing changed.',
    request: compactRequest,
    example: { entries: EXAMPLE_ENTRIES, reason: 'manual', settings: { keepRecentTokens: 20 } },
    ndjson: true,
    response: z.union([compactSessionResult, compactMessagesResult]),
    events:
      'Events `compaction_start`, `pruned`, `plan`, `attempt {kind}`, `delta {kind, text}`, `reset {kind}`, `summary {kind}`, then `done` (the JSON answer) or `error` (the problem).',
    problems: [
      ...COMMON_PROBLEMS,
      ...SESSION_PROBLEMS,
      ...MODEL_PROBLEMS,
      'compaction-in-progress',
      'attempts-exhausted',
    ],
  },
  {
    method: 'post',
    path: '/branch-summary',
    operationId: 'branchSummary',
    tag: 'sessions',
    summary: 'Leave a branch and take along what was learned there',
    description:
      'Collects the entries between the old leaf and the common ancestor with the target, and answers with the branch_summary entry to append at the new position. `summarized: false` is no failure: `reason` says why, and the navigation is answered all the same.',
    request: branchSummaryRequest,
    example: { entries: EXAMPLE_ENTRIES, oldLeafId: 'a0000003', targetId: 'a0000004' },
    ndjson: true,
    response: branchSummaryResult,
    events:
      'Events `attempt {kind}`, `delta {kind, text}`, `reset {kind}`, `summary {kind}` (`kind` is `branch`), then `done` (the JSON answer) or `error` (the problem).',
    problems: [...COMMON_PROBLEMS, ...SESSION_PROBLEMS, 'unknown-target', ...MODEL_PROBLEMS],
  },
  {
    method: 'post',
    path: '/check',
    operationId: 'check',
    tag: 'sessions',
    summary: 'Should it be compacted now?',
    description: 'Asks no model. Also classifies a provider error (`lastError`) by the table this service uses itself.',
    request: checkRequest,
    example: {
      entries: EXAMPLE_ENTRIES,
      contextWindow: 128000,
      lastError: { message: 'prompt is too long', status: 400 },
    },
    ndjson: true,
    response: checkResult,
    problems: [...COMMON_PROBLEMS, ...SESSION_PROBLEMS],
  },
  {
    method: 'post',
    path: '/prune',
    operationId: 'prune',
    tag: 'sessions',
    summary: 'Which old tool output can go?',
    request: pruneRequest,
    example: { entries: EXAMPLE_ENTRIES },
    ndjson: true,
    response: pruneResult,
    problems: [...COMMON_PROBLEMS, ...SESSION_PROBLEMS],
  },
  {
    method: 'post',
    path: '/context',
    operationId: 'context',
    tag: 'sessions',
    summary: 'The context of a leaf, rebuilt from the tree',
    request: contextRequest,
    example: { entries: EXAMPLE_ENTRIES, leafId: 'a0000003', format: 'openai' },
    ndjson: true,
    response: contextResult,
    problems: [...COMMON_PROBLEMS, ...SESSION_PROBLEMS],
  },
]
