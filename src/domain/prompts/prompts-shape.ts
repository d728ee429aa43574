import { keysOf } from '../keys-of.ts'

/**
 * Every prompt file and the `{{slots}}` it must hold, each at least once and no others (docs/spec/compaction.md §6). One row is
 * all it takes to add a prompt: loading, validation and the `Prompts` type follow.
 */
export const PROMPT_SLOTS = {
  'summarization-system': [],
  'compaction-summary': ['budget'],
  'compaction-update-summary': ['budget'],
  'compaction-turn-prefix': ['budget'],
  'compaction-short-summary': [],
  'compaction-summary-context': ['summary'],
  'branch-summary': ['budget'],
  'branch-summary-preamble': [],
  'branch-summary-context': ['summary'],
  'file-operations': ['readFiles', 'modifiedFiles'],
  'list-summary': ['budget'],
  'list-update-summary': ['budget'],
  'fold-part': ['part', 'parts'],
  'fold-merge': ['parts'],
  'moa-aggregate': ['candidates'],
  reminder: [],
  brevity: [],
} as const satisfies Readonly<Record<string, readonly string[]>>

export type PromptName = keyof typeof PROMPT_SLOTS

/** The validated templates, by file name without `.md`. Loaded once at start and frozen. */
export type Prompts = Readonly<Record<PromptName, string>>

/** All prompt names, in the order of the table. */
export const PROMPT_NAMES = keysOf(PROMPT_SLOTS)

/** Narrows the name of a file to that of a prompt. */
export function isPromptName(name: string): name is PromptName {
  return Object.hasOwn(PROMPT_SLOTS, name)
}
