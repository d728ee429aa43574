import { stripFileTags } from '../summary/file-tags.ts'
import { stripPinned } from '../summary/pinned.ts'
import { cleanText } from '../text/clean.ts'
import { redact } from '../text/redact.ts'
import { render } from '../text/render.ts'
import type { Prompts } from './prompts-shape.ts'

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
  /** Length that a list summary aims at, in tokens. */
  readonly budgetTokens?: number | undefined
}

/** The two texts of one call. `instructions` is the part behind the data, for those who look for asked headings. */
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
  switch (request.kind) {
    case 'prefix':
      return prompts['compaction-turn-prefix']
    case 'short':
      return prompts['compaction-short-summary']
    case 'branch':
      return safe(request.customInstructions ?? '') || prompts['branch-summary']
    case 'history':
      return (
        safe(request.promptOverride ?? '') || prompts[isUpdate ? 'compaction-update-summary' : 'compaction-summary']
      )
    case 'list': {
      const template = prompts[isUpdate ? 'list-update-summary' : 'list-summary']
      return (
        safe(request.promptOverride ?? '') || render(template, { budget: request.budgetTokens ?? DEFAULT_LIST_TOKENS })
      )
    }
    default:
      return request.kind satisfies never
  }
}

/** Target length of a list summary when nobody computed one (docs/spec/lists.md §2: its lower bound). */
const DEFAULT_LIST_TOKENS = 2_000

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
  return text === '' ? '' : redact(cleanText(text)).trim()
}
