/** What a wrapper in a user's row holds (docs/spec/reading.md §2). */
export type WrapperKind =
  /** Text of a program. */
  | 'machine'
  /** A summary of earlier history. */
  | 'summary'
  /** Name or arguments of a slash command: the user's ask. */
  | 'command-name'
  | 'command-args'
  /** A command the user ran, and what it printed. */
  | 'ran'
  | 'output'
  /** The user's own words in a form of the agent. */
  | 'words'

/**
 * THE table of tags that agents put into a user's row, by what they hold: read where a row is cut into words and machine text,
 * and defused wherever they stand in data (docs/spec/hostile.md §3). One row here is enough for both.
 */
const TAGS: Readonly<Record<WrapperKind, readonly string[]>> = {
  machine: [
    ...['system-reminder', 'system_reminder', 'task-notification', 'user-prompt-submit-hook', 'session-start-hook'],
    ...['environment_context', 'environment_details', 'user_instructions', 'user_shell_command', 'turn_aborted'],
    ...['subagent_notification', 'local-command-stdout', 'local-command-stderr', 'local-command-caveat'],
    ...['command-message', 'command-contents', 'INSTRUCTIONS', 'skill'],
  ],
  summary: [
    ...['summary', 'previous-summary', 'prior-summary', 'state_snapshot', 'conversation-summary'],
    'conversation_summary',
  ],
  'command-name': ['command-name'],
  'command-args': ['command-args'],
  ran: ['bash-input'],
  output: ['bash-stdout', 'bash-stderr'],
  words: ['task', 'answer', 'feedback', 'user_message', 'user_query'],
}

/** Tags of editors, a pattern of names: `ide_selection`, `ide_opened_file`. All are text of a program. */
export const EDITOR_TAG_START = 'ide_'
export const EDITOR_TAGS = `${EDITOR_TAG_START}[a-z_]{1,40}`
const EDITOR_TAG = new RegExp(`^${EDITOR_TAGS}$`)
const KINDS = new Map(
  Object.entries(TAGS).flatMap(([kind, names]) => names.map((name) => [name, kind as WrapperKind] as const)),
)

export const WRAPPER_NAMES: readonly string[] = [...KINDS.keys()]

/** What a closed tag of that name holds; null for names nobody knows, whose text is the user's. */
export function wrapperKind(name: string, attributes: string): WrapperKind | null {
  if (EDITOR_TAG.test(name)) return 'machine'
  // A file that an agent pasted names its place; `<file>` alone is a word of the user's.
  if (name === 'file' || name === 'file_content') return /\b(?:name|path)=/.test(attributes) ? 'machine' : null
  return KINDS.get(name) ?? null
}
