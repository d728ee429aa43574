import { assemblePrompt } from '../../domain/prompts/assemble-prompt.ts'
import type { Prompts } from '../../domain/prompts/prompts-shape.ts'
import { entryMessage, summaryMessage } from '../../domain/session/context.ts'
import type { Entry } from '../../domain/session/entry.ts'
import type { AgentMessage } from '../../domain/session/message.ts'
import { transcriptItems } from '../../domain/session/transcript-items.ts'
import { summaryBudgets } from '../../domain/summary/budgets.ts'
import { serialize, type TranscriptItem } from '../../domain/transcript/serialize.ts'
import type { CallSpec } from '../model-call.ts'
import { wrappersOf } from '../session/prompts.ts'
import type { BranchPass } from './pass.ts'

/** What the model is asked about the branch, or null where the branch says nothing (omp-spec §13). */
export function branchPrompt(pass: BranchPass, prompts: Prompts): CallSpec | null {
  const { request, selection, model, reserveTokens } = pass
  const wrappers = wrappersOf(prompts)
  const conversation = serialize(transcriptItems(selection.messages, { wrappers, marksInterrupted: false }))
  if (conversation.trim() === '') return null
  const { maxOutputTokens } = model.candidates[0]
  const budgets = summaryBudgets({ reserveTokens, ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }) })
  const { customInstructions } = request
  const { system, prompt, instructions } = assemblePrompt({ kind: 'branch', conversation, customInstructions }, prompts)
  const expects = instructions === prompts['branch-summary'] ? 'headings' : 'text'
  return { kind: 'branch', system, prompt, maxTokens: budgets.branch, expects }
}

/** Everything that was said on the branch, the budget's leavings and tool results too: what the audit looks facts up in. */
export function branchItems(entries: readonly Entry[], prompts: Prompts): readonly TranscriptItem[] {
  const messages = entries.flatMap((entry) => told(entry))
  return transcriptItems(messages, { wrappers: wrappersOf(prompts), marksInterrupted: true })
}

function told(entry: Entry): readonly AgentMessage[] {
  if (entry.type === 'compaction') return entry.summary ? [summaryMessage(entry)] : []
  const message = entryMessage(entry)
  return message === null || message.excludeFromContext === true ? [] : [message]
}
