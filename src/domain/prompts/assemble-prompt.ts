import { stripFileTags } from '../summary/file-tags.ts'
import { stripPinned } from '../summary/pinned.ts'
import { promptText } from '../text/prompt-texts.ts'
import { render } from '../text/render.ts'
import type { PromptName, Prompts } from './prompts-shape.ts'

/** The calls of a compaction. `list` is the history call of a message list (second seed). */
export type PromptKind = 'history' | 'prefix' | 'short' | 'branch' | 'list'

export interface PromptRequest {
  readonly kind: PromptKind
  /** The serialised conversation: clean, redacted and neutralised already, since it is far too big to do that twice. */
  readonly conversation: string
  readonly previousSummary?: string | undefined
  readonly additionalContext?: readonly string[] | undefined
  /** Appended as `Additional focus: …`; of a branch it replaces the instructions (docs/spec/sessions.md §13). */
  readonly customInstructions?: string | undefined
  /** Replaces the instructions of the history call. */
  readonly promptOverride?: string | undefined
  /** Topic that a message list is summarised for. */
  readonly focus?: string | undefined
  /** Length that the summary aims at, in tokens; it is stated, and must not be over the cap of the call. */
  readonly budgetTokens?: number | undefined
}

/** The two texts of one call. `instructions` is the part after the data, for those who look for asked headings. */
export interface AssembledPrompt {
  readonly system: string
  readonly prompt: string
  readonly instructions: string
}

// A topic is a phrase; a whole document in its place would crowd the conversation out of the window.
const MOST_FOCUS_LENGTH = 2_000

/**
 * Builds the user text of one call in the layout of docs/spec/sessions.md §10: conversation, previous summary, additional context,
 * instructions, `Additional focus`. Everything the caller wrote is cleaned like data (docs/spec/compaction.md §6).
 */
export function assemblePrompt(request: PromptRequest, prompts: Prompts): AssembledPrompt {
  // The turn prefix stands for itself: neither earlier summary nor context nor focus (docs/spec/sessions.md §10).
  const isPrefix = request.kind === 'prefix'
  const previous = isPrefix ? '' : safe(stripPinned(stripFileTags(request.previousSummary ?? '')))
  const context = isPrefix ? [] : (request.additionalContext ?? []).map((line) => safe(line).replaceAll('\n', '\n  '))
  const instructions = `${instructionsOf(request, previous !== '', prompts)}${focusOf(request)}`
  // Concatenated, not joined: the engine copies megabytes once, when the prompt is sent.
  let prompt = `<conversation>\n${request.conversation}\n</conversation>\n\n`
  if (previous !== '') prompt += `<previous-summary>\n${previous}\n</previous-summary>\n\n`
  if (context.length > 0) prompt += `<additional-context>\n- ${context.join('\n- ')}\n</additional-context>\n\n`
  prompt += instructions
  return { system: prompts['summarization-system'], prompt, instructions }
}

function instructionsOf(request: PromptRequest, isUpdate: boolean, prompts: Prompts): string {
  const { kind } = request
  if (kind === 'short') return prompts['compaction-short-summary']
  const budget = request.budgetTokens ?? DEFAULT_TOKENS[kind]
  const own = kind === 'prefix' ? '' : kind === 'branch' ? request.customInstructions : request.promptOverride
  return safe(own ?? '') || render(prompts[templateOf(kind, isUpdate)], { budget })
}

function templateOf(kind: Exclude<PromptKind, 'short'>, isUpdate: boolean): PromptName {
  switch (kind) {
    case 'prefix':
      return 'compaction-turn-prefix'
    case 'branch':
      return 'branch-summary'
    case 'history':
      return isUpdate ? 'compaction-update-summary' : 'compaction-summary'
    case 'list':
      return isUpdate ? 'list-update-summary' : 'list-summary'
    default:
      return kind satisfies never
  }
}

/** Length that a prompt states when nobody computed one (docs/spec/lists.md §2, docs/spec/truth.md §11). */
export const DEFAULT_TOKENS = { history: 2_000, list: 2_000, prefix: 800, branch: 1_000 } as const

function focusOf(request: PromptRequest): string {
  if (request.kind !== 'history' && request.kind !== 'list') return ''
  const focus = safe(request.focus ?? '')
    .slice(0, MOST_FOCUS_LENGTH)
    .toWellFormed()
  const wanted = [safe(request.customInstructions ?? ''), focus].filter((text) => text !== '')
  return wanted.length === 0 ? '' : `\n\nAdditional focus: ${wanted.join('\n')}`
}

/** What a caller or an earlier model wrote, made harmless; a clean text stays as it is. */
function safe(text: string): string {
  return text === '' ? '' : promptText(text).trim()
}
