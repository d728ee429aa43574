import type { Dialect } from '../../src/domain/dialects/codec.ts'
import { openaiCodec } from '../../src/domain/dialects/openai/codec.ts'
import { parseMessages } from '../../src/domain/dialects/parse-messages.ts'
import type { Row } from '../../src/domain/dialects/row.ts'
import { type AssembledList, assembleList, type RejectedList } from '../../src/domain/list/assemble/assemble-list.ts'
import { type BudgetInput, listBudget } from '../../src/domain/list/plan/list-budget.ts'
import type { ListInput, ListPruneSettings } from '../../src/domain/list/plan/list-input.ts'
import { type ListPlan, planList, type SummaryPlan } from '../../src/domain/list/plan/plan-list.ts'
import { type CompactionState, FRESH_STATE } from '../../src/domain/list/state.ts'
import type { ChatMessage } from '../../src/domain/tokens/chat-tokens.ts'

export interface ListOptions {
  readonly format?: Dialect
  readonly window?: number
  readonly budget?: Partial<BudgetInput>
  readonly first?: number
  readonly last?: number
  readonly prune?: boolean | ListPruneSettings
  readonly state?: CompactionState
  readonly force?: boolean
  readonly system?: unknown
  readonly tools?: unknown
}

export const STUB = '## Goal\nstub of a summary'

export function inputOf(messages: unknown, options: ListOptions = {}): ListInput {
  return {
    ...parseMessages(messages, options.format),
    budget: listBudget({ contextWindow: options.window ?? 8000, ...options.budget }),
    protect: { first: options.first ?? 3, last: options.last ?? 20 },
    prune: options.prune ?? true,
    state: options.state ?? FRESH_STATE,
    force: options.force ?? false,
    ...(options.system === undefined ? {} : { system: options.system }),
    ...(options.tools === undefined ? {} : { tools: options.tools }),
  }
}

export function plan(messages: unknown, options: ListOptions = {}): ListPlan {
  return planList(inputOf(messages, options))
}

/** The plan of a list that must be summarised. */
export function summaryPlan(messages: unknown, options: ListOptions = {}): SummaryPlan {
  const made = plan(messages, options)
  if (made.kind !== 'plan') throw new Error(`expected a summary plan, got ${made.kind}`)
  return made
}

export function assembled(messages: unknown, options: ListOptions = {}, text = STUB): AssembledList | RejectedList {
  return assembleList(summaryPlan(messages, options), { text, bare: text })
}

export interface CompactedChat extends AssembledList {
  readonly messages: readonly ChatMessage[]
}

/** The compacted list; throws when there is none. */
export function compacted(messages: unknown, options: ListOptions = {}, text = STUB): CompactedChat {
  const made = assembled(messages, options, text)
  if (made.kind !== 'compacted') throw new Error(`expected a compacted list, got ${made.reason}`)
  return made as CompactedChat
}

export const user = (content: unknown): ChatMessage => ({ role: 'user', content })
export const says = (content: unknown): ChatMessage => ({ role: 'assistant', content })
export const call = (
  id: string,
  name = 'shell',
  args: unknown = { command: `run ${id}` },
): Record<string, unknown> => ({
  id,
  type: 'function',
  function: { name, arguments: typeof args === 'string' ? args : JSON.stringify(args) },
})
export const calling = (...ids: string[]): ChatMessage => ({
  role: 'assistant',
  content: null,
  tool_calls: ids.map((id) => call(id)),
})
export const result = (id: string, content: unknown = `result of ${id}`): ChatMessage => ({
  role: 'tool',
  tool_call_id: id,
  content,
})
export const image = (mark = 'QUJD'): Record<string, unknown> => ({
  type: 'image_url',
  image_url: { url: `data:image/png;base64,${mark}` },
})

/** About so many tokens of text that begins with the mark; texts of two marks differ all through. */
export function filler(tokens: number, mark = 'lorem'): string {
  const size = tokens * 4
  return `${mark} `.repeat(Math.ceil(size / (mark.length + 1))).slice(0, size)
}

/** So many turns of a short ask and a long answer. */
export function chat(turns: number, mark = 'job', answerTokens = 400): ChatMessage[] {
  return Array.from({ length: turns }, (_, turn) => [
    user(`${mark} request ${turn}: please look at module_${turn}.`),
    says(filler(answerTokens, `${mark}-reply-${turn}`)),
  ]).flat()
}

export const system: ChatMessage = { role: 'system', content: 'You are a coding agent.' }

export function rowsOf(messages: readonly ChatMessage[]): Row[] {
  return openaiCodec.read(messages)
}
