import type { CompactionPlan } from '../../domain/compaction/plan.ts'
import { assemblePrompt, type PromptRequest } from '../../domain/prompts/assemble-prompt.ts'
import type { Prompts } from '../../domain/prompts/prompts-shape.ts'
import { shortConversation } from '../../domain/prompts/short-conversation.ts'
import type { AgentMessage } from '../../domain/session/message.ts'
import { messageTokens } from '../../domain/session/session-tokens.ts'
import type { SummaryWrappers } from '../../domain/session/to-llm.ts'
import { transcriptItems } from '../../domain/session/transcript-items.ts'
import type { SummaryBudgets } from '../../domain/summary/budgets.ts'
import { neutralizeSummaryTags } from '../../domain/text/neutralize.ts'
import { render } from '../../domain/text/render.ts'
import { serialize, type TranscriptItem } from '../../domain/transcript/serialize.ts'
import type { CallSpec } from '../model-call.ts'

/** The wrapper sentences around stored summaries, as the prompts of this service word them. No summary can close its frame. */
export const wrappersOf = (prompts: Prompts): SummaryWrappers => ({
  compactionSummary: (summary) =>
    render(prompts['compaction-summary-context'], { summary: neutralizeSummaryTags(summary) }),
  branchSummary: (summary) => render(prompts['branch-summary-context'], { summary: neutralizeSummaryTags(summary) }),
})

export interface SessionPrompts {
  readonly history?: CallSpec
  readonly prefix?: CallSpec
  readonly short?: CallSpec
  /** Items of history and prefix, for the audit. */
  readonly items: readonly TranscriptItem[]
  /** The same as the models are shown them. */
  readonly conversations: readonly string[]
}

export interface SessionPromptInput {
  readonly plan: CompactionPlan
  readonly budgets: SummaryBudgets
  readonly wantsShort: boolean
  readonly customInstructions?: string | undefined
  readonly additionalContext: readonly string[]
  /** Of the request or a hook: replaces the instructions of the history alone. */
  readonly promptOverride?: string | undefined
}

/** The one to three prompts of a compaction (session-compaction §6). */
export function sessionPrompts(input: SessionPromptInput, prompts: Prompts): SessionPrompts {
  const { plan, budgets, additionalContext, customInstructions, promptOverride } = input
  const wrappers = wrappersOf(prompts)
  const itemsOf = (messages: readonly AgentMessage[]) => transcriptItems(messages, { wrappers, marksInterrupted: true })
  const history = itemsOf(plan.historyMessages)
  const prefix = itemsOf(plan.prefixMessages)
  const spec = (
    kind: CallSpec['kind'],
    request: Omit<PromptRequest, 'kind'>,
    more: Omit<CallSpec, 'kind' | 'system' | 'prompt'>,
  ): CallSpec => {
    const { system, prompt } = assemblePrompt({ kind: kind as PromptRequest['kind'], ...request }, prompts)
    return { kind, system, prompt, ...more }
  }
  const { previousSummary } = plan
  const conversations = { history: serialize(history), prefix: serialize(prefix) }
  return {
    items: [...history, ...prefix],
    conversations: Object.values(conversations),
    ...(plan.historyMessages.length === 0
      ? {}
      : {
          history: spec(
            'history',
            {
              conversation: conversations.history,
              previousSummary,
              additionalContext,
              customInstructions,
              promptOverride,
            },
            { maxTokens: budgets.history, expects: promptOverride === undefined ? 'headings' : 'text' },
          ),
        }),
    ...(plan.prefixMessages.length === 0
      ? {}
      : {
          prefix: spec(
            'prefix',
            { conversation: conversations.prefix },
            { maxTokens: budgets.prefix, expects: 'headings' },
          ),
        }),
    ...(input.wantsShort
      ? {
          short: spec(
            'short',
            {
              conversation: shortConversation(serialize(itemsOf(shortSource(plan)))),
              previousSummary,
              additionalContext,
            },
            { maxTokens: budgets.short, expects: 'text', fold: false, spareMs: SHORT_SPARE_MS },
          ),
        }
      : {}),
  }
}

/**
 * What the short summary is cut from: the newest messages, and of what is older only the user's. Choosing before
 * serialising keeps the cost of a long session out of a text of 8 000 tokens.
 */
function shortSource(plan: CompactionPlan): readonly AgentMessage[] {
  const all = [...plan.historyMessages, ...plan.prefixMessages, ...plan.keptMessages]
  let tokens = 0
  let from = all.length
  while (from > 0 && tokens <= SHORT_SOURCE_TOKENS) {
    from -= 1
    const message = all[from]
    tokens += message === undefined ? 0 : messageTokens(message)
  }
  const asks = all.slice(0, from).filter(({ role }) => role === 'user')
  const isNeeded = (at: number) => at < FIRST_ASKS || at >= asks.length - NEWEST_ASKS
  return [...asks.filter((_, at) => isNeeded(at)), ...all.slice(from)]
}

/** Of older asks shortConversation shows the first that says something and about 2 000 tokens of the newest. */
const FIRST_ASKS = 8
const NEWEST_ASKS = 120

/** A short summary that hangs gives up before the deadline: it must not take the compaction along (session-compaction §6). */
const SHORT_SPARE_MS = 2_000

/** A little more than shortConversation keeps: labels and clipped results change the size. */
const SHORT_SOURCE_TOKENS = 16_000
