import { type CompactionPlan, previousLedger } from '../../domain/compaction/plan.ts'
import type { Conversation, Turn } from '../../domain/conversation/conversation.ts'
import { withDurable } from '../../domain/ledger/previous/with-durable.ts'
import { assemblePrompt, DEFAULT_TOKENS, type PromptRequest } from '../../domain/prompts/assemble-prompt.ts'
import type { Prompts } from '../../domain/prompts/prompts-shape.ts'
import { shortConversation } from '../../domain/prompts/short-conversation.ts'
import type { AgentMessage } from '../../domain/session/message.ts'
import { messagesToConversation } from '../../domain/session/messages-to-conversation.ts'
import { messageTokens } from '../../domain/session/session-tokens.ts'
import { EMBEDDED_TOKENS, embeddedHalves, type SummaryBudgets } from '../../domain/summary/budgets.ts'
import { expectedAnswer } from '../../domain/summary/judge/expected-answer.ts'
import { type RegionFacts, regionFacts } from '../../domain/summary/region-facts.ts'
import { textTokens } from '../../domain/tokens/text-tokens.ts'
import { serialize } from '../../domain/transcript/serialize.ts'
import { textPrompt } from '../../models/prompt.ts'
import type { CallSpec } from '../model-call.ts'
import { wrappersOf } from '../summary-wrappers.ts'

export interface SessionPrompts {
  readonly history: CallSpec | undefined
  readonly prefix: CallSpec | undefined
  readonly short: CallSpec | undefined
  /** History and prefix, for the audit. */
  readonly conversation: Conversation
  readonly region: RegionFacts
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

/** The one to three prompts of a compaction (docs/spec/compaction.md §6). */
export function sessionPrompts(input: SessionPromptInput, prompts: Prompts): SessionPrompts {
  const { plan, budgets, additionalContext, customInstructions, promptOverride } = input
  const wrappers = wrappersOf(prompts)
  const history = messagesToConversation(plan.historyMessages, wrappers)
  const prefix = messagesToConversation(plan.prefixMessages, wrappers)
  const durable = previousLedger(plan)
  const previousSummary = withDurable(plan.previousSummary ?? '', durable) || undefined
  const before = { summary: plan.previousSummary ?? '', durable }
  const conversation: Conversation = { turns: [...history.turns, ...prefix.turns] }
  const region = regionFacts(conversation, before)
  const own = prefix.turns.length === 0 ? region : regionFacts(history, before)
  const conversations = {
    history: serialize(history),
    prefix: serialize({ turns: [...lastSaid(history), ...prefix.turns] }),
  }
  const isSplit = plan.historyMessages.length > 0 && plan.prefixMessages.length > 0
  const halves = embeddedHalves(textTokens(conversations.prefix))
  const historySpec = (): CallSpec => ({
    ...specOf(
      {
        kind: 'history',
        budgetTokens: Math.min(DEFAULT_TOKENS.history, budgets.history),
        conversation: conversations.history,
        previousSummary,
        additionalContext,
        customInstructions,
        promptOverride,
      },
      prompts,
      own,
    ),
    maxTokens: budgets.history,
    embedded: isSplit ? { tokens: halves.history, half: 'history' } : { tokens: EMBEDDED_TOKENS },
    expects: promptOverride === undefined ? 'headings' : 'text',
  })
  const prefixSpec = (): CallSpec => ({
    ...specOf(
      {
        kind: 'prefix',
        conversation: conversations.prefix,
        budgetTokens: Math.min(DEFAULT_TOKENS.prefix, budgets.prefix),
      },
      prompts,
      { facts: [], userWords: region.userWords },
    ),
    maxTokens: budgets.prefix,
    embedded: isSplit ? { tokens: halves.prefix, half: 'turn' } : { tokens: EMBEDDED_TOKENS },
    expects: 'headings',
  })
  const shortSpec = (): CallSpec => {
    const conversation = shortConversation(serialize(messagesToConversation(shortSource(plan), wrappers)))
    return {
      ...specOf({ kind: 'short', conversation, previousSummary, additionalContext }, prompts),
      maxTokens: budgets.short,
      expects: 'text',
      fold: false,
      spareMs: SHORT_SPARE_MS,
    }
  }
  return {
    conversation,
    region,
    conversations: Object.values(conversations),
    history: plan.historyMessages.length === 0 ? undefined : historySpec(),
    prefix: plan.prefixMessages.length === 0 ? undefined : prefixSpec(),
    short: input.wantsShort ? shortSpec() : undefined,
  }
}

/** What the split turn answers: the assistant's message before it (docs/spec/truth.md §11). */
function lastSaid({ turns }: Conversation): Turn[] {
  const last = turns.findLast(
    ({ speaker, parts }) => speaker === 'assistant' && parts.some(({ kind }) => kind === 'words'),
  )
  return last === undefined ? [] : [{ ...last, parts: last.parts.filter(({ kind }) => kind === 'words') }]
}

/** `region`: what the answer is judged by; absent where any text will do. */
function specOf(
  request: PromptRequest,
  prompts: Prompts,
  region?: Pick<RegionFacts, 'facts' | 'userWords'>,
): Pick<CallSpec, 'kind' | 'system' | 'prompt' | 'answer'> {
  const { system, prompt, instructions } = assemblePrompt(request, prompts)
  const { previousSummary } = request
  const answer = region === undefined ? undefined : expectedAnswer({ instructions, previousSummary, region })
  return { kind: request.kind, system, prompt: textPrompt(prompt), answer }
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

/** A short summary that hangs gives up before the deadline: it must not take the compaction along (docs/spec/compaction.md §6). */
const SHORT_SPARE_MS = 2_000

/** A little more than shortConversation keeps: labels and clipped results change the size. */
const SHORT_SOURCE_TOKENS = 16_000
