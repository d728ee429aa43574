import { EDITOR_TAGS, WRAPPER_NAMES } from './wrappers.ts'

/**
 * THE table of tags that frame something: what the reader of prompts takes for structure, what answers are wrapped in, and
 * what agents put around the words of a program. One row is enough: it is read where a reader asks for its kind, and
 * defused wherever it stands in data (docs/spec/hostile.md §3). Small letters, read in any case.
 */
const CONVERSATIONS = [
  ...['conversation', 'messages', 'chat_history', 'chat-history', 'history', 'conversation_history'],
  ...['conversation-history', 'transcript'],
] as const
const PREVIOUS_SUMMARIES = [
  ...['previous-summary', 'previous_summary', 'prior-summary', 'prior_summary', 'existing_summary'],
  ...['existing-summary', 'earlier-summary', 'summary', 'state_snapshot'],
  ...['conversation-summary', 'conversation_summary'],
] as const
const CONTEXTS = ['additional-context', 'additional_context'] as const
const PARTS = ['part-summary'] as const
const ANSWERS = ['analysis', 'think', 'thinking', 'reasoning', 'scratchpad'] as const
const FILE_LISTS = ['read-files', 'modified-files', 'files'] as const
/** Marks of chat templates that are spelled like tags. */
const TEMPLATES = ['start_of_turn', 'end_of_turn', 'bos', 'eos', 's'] as const

export const FRAMES = {
  conversations: CONVERSATIONS,
  previousSummaries: PREVIOUS_SUMMARIES,
  contexts: CONTEXTS,
  fileLists: FILE_LISTS,
} as const

/** What must not stand in an answer that is stored: all but the file lists, which are told by tags (docs/spec/compaction.md §7). */
const IN_ANSWERS = [
  ...CONVERSATIONS,
  ...PREVIOUS_SUMMARIES,
  ...CONTEXTS,
  ...PARTS,
  ...ANSWERS,
  ...WRAPPER_NAMES,
  ...TEMPLATES,
]

/** Every tag name of the table. */
export const FRAME_NAMES: readonly string[] = [...new Set([...IN_ANSWERS, ...FILE_LISTS])]

const openings = (names: readonly string[]): RegExp => new RegExp(`<(?=/?(?:${names.join('|')})(?:[\\s/>]|$))`, 'gi')

/** The `<` of every framing tag, opening or closing: replaced, the tag is text. */
export const DATA_TAG = openings([...FRAME_NAMES, EDITOR_TAGS])
/** The same for answers. Tags that answers may really consist of stay: `<state_snapshot>` is what one agent asks for. */
export const ANSWER_TAG = openings([...IN_ANSWERS, EDITOR_TAGS].filter((name) => name !== 'state_snapshot'))
/** The `<` of the tags that close or open the frame of a stored summary. */
export const SUMMARY_TAG = openings(['summary'])
