import { z } from 'zod'
import { keysOf } from '../domain/keys-of.ts'
import { branchSummaryRequest, branchSummaryResult } from '../pipelines/branch/branch-schema.ts'
import { branchSummary } from '../pipelines/branch/branch-summary.ts'
import { openBranchPass } from '../pipelines/branch/pass.ts'
import { check } from '../pipelines/check.ts'
import { checkRequest, checkResult } from '../pipelines/check-schema.ts'
import { compact, tryCompact } from '../pipelines/compact.ts'
import { compactResult } from '../pipelines/compact-result-schema.ts'
import { compactRequest } from '../pipelines/compact-schema.ts'
import { context } from '../pipelines/context.ts'
import { contextRequest, contextResult } from '../pipelines/context-schema.ts'
import { answerAgent } from '../pipelines/faces/answer-agent.ts'
import { chatCompletions } from '../pipelines/faces/chat-completions.ts'
import { chatCompletionRequest, chatCompletionResult } from '../pipelines/faces/chat-completions-schema.ts'
import { messages } from '../pipelines/faces/messages.ts'
import { messagesRequest, messagesResult } from '../pipelines/faces/messages-schema.ts'
import { responses, responsesCompact } from '../pipelines/faces/responses.ts'
import {
  responsesCompactRequest,
  responsesCompactResult,
  responsesRequest,
  responsesResult,
} from '../pipelines/faces/responses-schema.ts'
import type { PipelineCall } from '../pipelines/pipeline-context.ts'
import { summarize, trySummarize } from '../pipelines/prompt/summarize.ts'
import { summarizeRequest, summarizeResult } from '../pipelines/prompt/summarize-schema.ts'
import { prune } from '../pipelines/prune.ts'
import { pruneRequest, pruneResult } from '../pipelines/prune-schema.ts'
import { type Answer, answer, called, completed, proxied } from './answer.ts'
import { parseRequest } from './parse-request.ts'

/** One endpoint that takes a body and answers with what one pipeline made of it. */
export interface Endpoint {
  readonly path: string
  readonly request: z.ZodType
  readonly result: z.ZodType
  /** Takes session files as they lie on disk, too (docs/spec/contract.md §0). */
  readonly ndjson: boolean
  /** What a stream carries: events by name, the chunks of OpenAI's chat, or nothing (it does not stream). */
  readonly events: 'named' | 'chunks' | 'none'
  /**
   * Everything of `run` before its first call, so that a fault of the request is told at once and not as a job that failed. Absent
   * where the endpoint cannot be run as a job (`Prefer: respond-async`, docs/spec/production.md §2).
   */
  readonly trial?: ((call: PipelineCall<unknown>) => void) | undefined
  /** The member whose text goes out as it came: the spelling of a long one is handed on, too, and it does not count as long work. */
  readonly spelled?: string
  /** Body → schema → pipeline → JSON. Throws `invalid-request` where the schema is not met. */
  readonly run: (call: PipelineCall<unknown>, signal: AbortSignal) => Promise<Answer>
}

type Run<Request> = (call: PipelineCall<Request>, signal: AbortSignal) => Promise<Answer> | Answer

interface Row<Request> extends Omit<Endpoint, 'request' | 'run' | 'trial'> {
  readonly request: z.ZodType<Request>
  readonly run: Run<Request>
  readonly trial?: ((call: PipelineCall<Request>) => void) | undefined
}

/** Ties a schema to the pipeline that takes what it gives. */
function endpoint<Request>(row: Row<Request>): Endpoint {
  const parsed = (call: PipelineCall<unknown>) => ({ ...call, request: parseRequest(row.request, call.request) })
  const { trial } = row
  return {
    ...row,
    run: async (call, signal) => row.run(parsed(call), signal),
    trial: trial && ((call) => trial(parsed(call))),
  }
}

/** THE table of endpoints: routes, threads, jobs, openapi.yaml and the playground read it, and nobody keeps another. */
export const ENDPOINTS = {
  summarize: endpoint({
    path: '/summarize',
    request: summarizeRequest,
    result: summarizeResult,
    ndjson: false,
    events: 'named',
    trial: trySummarize,
    spelled: 'prompt',
    run: async (call, signal) => completed(await summarize(call, signal)),
  }),
  'chat-completions': endpoint({
    path: '/v1/chat/completions',
    request: chatCompletionRequest,
    result: chatCompletionResult,
    ndjson: false,
    events: 'chunks',
    run: async (call, signal) => completed(await chatCompletions(call, signal)),
  }),
  messages: endpoint({
    path: '/v1/messages',
    request: messagesRequest,
    result: messagesResult,
    ndjson: false,
    events: 'chunks',
    run: async (call, signal) => completed(await messages(call, signal)),
  }),
  responses: endpoint({
    path: '/v1/responses',
    request: responsesRequest,
    result: responsesResult,
    ndjson: false,
    events: 'chunks',
    run: async (call, signal) => completed(await responses(call, signal)),
  }),
  'responses-compact': endpoint({
    path: '/v1/responses/compact',
    request: responsesCompactRequest,
    result: responsesCompactResult,
    ndjson: false,
    events: 'none',
    run: async (call, signal) => {
      const { model, cache, ...result } = await responsesCompact(call, signal)
      return { ...answer(result), model, cache }
    },
  }),
  compact: endpoint({
    path: '/compact',
    request: compactRequest,
    result: compactResult,
    ndjson: true,
    events: 'named',
    trial: tryCompact,
    run: async (call, signal) => called(await compact(call, signal)),
  }),
  'branch-summary': endpoint({
    path: '/branch-summary',
    request: branchSummaryRequest,
    result: branchSummaryResult,
    ndjson: true,
    events: 'named',
    trial: openBranchPass,
    run: async (call, signal) => called(await branchSummary(call, signal)),
  }),
  check: endpoint({
    path: '/check',
    request: checkRequest,
    result: checkResult,
    ndjson: true,
    events: 'none',
    run: (call) => answer(check(call)),
  }),
  prune: endpoint({
    path: '/prune',
    request: pruneRequest,
    result: pruneResult,
    ndjson: true,
    events: 'none',
    run: (call) => answer(prune(call)),
  }),
  context: endpoint({
    path: '/context',
    request: contextRequest,
    result: contextResult,
    ndjson: true,
    events: 'none',
    run: (call) => answer(context(call)),
  }),
} as const satisfies Readonly<Record<string, Endpoint>>

/** What the proxy asks before it hands a request on. Not in the table: it has no path of its own. */
const AGENT_CALL = endpoint({
  path: '/proxy',
  request: z.unknown(),
  result: z.unknown(),
  ndjson: false,
  events: 'none',
  run: async (call, signal) => proxied(await answerAgent(call, signal)),
})

export type EndpointName = keyof typeof ENDPOINTS

export const endpointOf = (name: EndpointName | 'agent-call'): Endpoint =>
  name === 'agent-call' ? AGENT_CALL : ENDPOINTS[name]

/** The table's names, in its order. */
export const ENDPOINT_NAMES = keysOf(ENDPOINTS)
