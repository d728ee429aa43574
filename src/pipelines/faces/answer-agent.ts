import { agentAsk } from '../../domain/agents/agent-ask.ts'
import { type AgentCall, agentCallOf, reviewed } from '../../domain/agents/agents.ts'
import { type RequestView, viewRequest, type Wire } from '../../domain/agents/request-view.ts'
import { parseMessages } from '../../domain/dialects/parse-messages.ts'
import { rowsToConversation } from '../../domain/dialects/rows-to-conversation.ts'
import { sumTokens } from '../../domain/list/list-tokens.ts'
import { textTokens } from '../../domain/tokens/text-tokens.ts'
import { NO_USAGE } from '../../models/model.ts'
import { isSealedItem, openItems } from '../items/open-items.ts'
import type { PipelineCall } from '../pipeline-context.ts'
import { type Summarized, summarize } from '../prompt/summarize.ts'
import { summarizeHistory } from '../prompt/summarize-history.ts'
import { selectModel } from '../select-model.ts'
import { compactItems } from './compact-items.ts'
import {
  chatCompletionOf,
  compactionOf,
  type FaceAnswer,
  faceAnswer,
  geminiAnswerOf,
  messageItemOf,
  messageOf,
  responseOf,
} from './face-answer.ts'
import { liftSummaries, withoutSummaries } from './read-rows.ts'
import { DIALECT_OF, promptsOf } from './summarize-request.ts'

/** What becomes of a request on its way to a provider (docs/spec/faces.md §3). */
export interface AgentAnswer {
  /** `pass`: it goes on as it came. `opened`: `body` goes on in its place. `summary`: `body` is the agent's answer. */
  readonly kind: 'pass' | 'opened' | 'summary'
  /** The agent whose compaction call it was; a name of our own table. */
  readonly agent?: string | undefined
  readonly isStreamed?: boolean | undefined
  readonly savedTokens?: number | undefined
  readonly model?: string | undefined
  readonly body?: unknown
}

const PASS: AgentAnswer = { kind: 'pass' }

/** Answers a compaction call by our own pipelines, in the shape the agent waits for; everything else passes. */
export async function answerAgent(call: PipelineCall<unknown>, signal: AbortSignal): Promise<AgentAnswer> {
  const { request, context, deps } = call
  const { wire, isCompaction = false } = context.wire ?? {}
  const view = wire === undefined ? null : viewRequest(wire, request)
  if (view === null) return PASS
  // Only the provider has what a stored response holds.
  if (typeof view.body['previous_response_id'] === 'string') return PASS
  const found = isCompaction ? COMPACTION : agentCallOf(view)
  if (found !== null) return summaryFor({ ...call, request: { view, found, isCompaction } }, signal)
  if (view.wire !== 'responses') return PASS
  const rows = openItems(view.rows, deps.items)
  return rows === view.rows ? PASS : { kind: 'opened', body: { ...view.body, [view.list]: rows } }
}

/** `/responses/compact`: the path alone says that it is one. */
const COMPACTION = { agent: 'codex', ask: 'item' } as const

interface Found {
  readonly view: RequestView
  readonly found: Pick<AgentCall, 'agent' | 'ask' | 'tag'>
  readonly isCompaction: boolean
}

async function summaryFor(call: PipelineCall<Found>, signal: AbortSignal): Promise<AgentAnswer> {
  const { found, view } = call.request
  const { agent, tag } = found
  const isStreamed = view.body['stream'] === true
  if (found.ask === 'item') {
    const made = await itemFor(call, signal)
    return made === null ? PASS : { ...made, kind: 'summary', agent, isStreamed }
  }
  const { made, savedTokens } = found.ask === 'review' ? again(call) : await summaryOf(call, signal)
  const text = tag === undefined ? made.summary : `<${tag}>\n${made.summary}\n</${tag}>`
  const body = inShape(view.wire, faceAnswer({ ...made, summary: text }, call))
  return { kind: 'summary', agent, isStreamed, savedTokens, model: made.model, body }
}

interface Made {
  readonly made: Pick<Summarized, 'summary' | 'model' | 'usage'>
  readonly savedTokens: number
}

/** Gemini CLI asks for a review of its snapshot: it gets the same one back, and no model is asked. */
function again({ request: { view, found }, context, deps }: PipelineCall<Found>): Made {
  const summary = reviewed(view, found.tag ?? '') ?? ''
  const model = selectModel({}, context, deps).candidates[0].id
  return { made: { summary, model, usage: NO_USAGE }, savedTokens: 0 }
}

async function summaryOf(call: PipelineCall<Found>, signal: AbortSignal): Promise<Made> {
  const { view, found } = call.request
  if (found.ask === 'prompt') {
    const prompt = promptsOf(view)
    const made = await summarize({ ...call, request: prompt }, signal)
    const saved = textTokens(prompt.systemPrompt) + textTokens(prompt.prompt) - textTokens(made.summary)
    return { made, savedTokens: Math.max(0, saved) }
  }
  const { rows, focus } = agentAsk(view, { ask: found.ask })
  const list = parseMessages(openItems(rows, call.deps.items), DIALECT_OF[view.wire], { member: view.list })
  const read = withoutSummaries(list.rows)
  const request = {
    ...liftSummaries(rowsToConversation(read.rows), read.previousSummary),
    system: '',
    instruction: null,
    isStrict: true,
    focus: focus === '' ? undefined : focus,
  }
  const made = await summarizeHistory({ ...call, request }, signal)
  return { made, savedTokens: Math.max(0, sumTokens(list.rows) - textTokens(made.summary)) }
}

/** Null where one item of ours would replace one that only its maker can open. */
async function itemFor(
  call: PipelineCall<Found>,
  signal: AbortSignal,
): Promise<Omit<AgentAnswer, 'kind' | 'agent' | 'isStreamed'> | null> {
  const { request, context, deps } = call
  const { view, isCompaction } = request
  const rows = isCompaction ? view.rows : agentAsk(view, { ask: 'item' }).rows
  if (rows.some((row) => isSealedItem(row) && deps.items.open(row.encrypted_content) === null)) return null
  const { instructions } = isCompaction ? view.body : {}
  const made = await compactItems({ ...call, request: { rows, instructions } }, signal)
  const answer = { requestId: context.requestId, createdAt: deps.now(), model: made.model, usage: made.usage }
  const { model, savedTokens } = made
  const body = isCompaction ? compactionOf(answer, [...made.kept, made.item]) : responseOf(answer, [made.item])
  return { model, savedTokens, body }
}

function inShape(wire: Wire, answer: FaceAnswer): object {
  switch (wire) {
    case 'messages':
      return messageOf(answer)
    case 'chat':
      return chatCompletionOf(answer)
    case 'responses':
      return responseOf(answer, [messageItemOf(answer)])
    case 'gemini':
      return geminiAnswerOf(answer)
    default:
      return wire satisfies never
  }
}
