import type { BlockRole } from './block.ts'

/** One way to mark the blocks of a transcript. Group 1 of the pattern is what stands before the label, group 2 its name. */
export interface LabelFamily {
  readonly pattern: RegExp
  readonly roleOf: (name: string) => BlockRole | null
  /** What closes a block in this family, cut off its text. */
  readonly closing: RegExp | null
}

/** Exact spellings only: `[user]: ` in a pasted log must not split a block (omp-spec §8 and §15, hermes-spec §6). */
const BRACKET_ROLES: Readonly<Record<string, BlockRole>> = {
  User: 'user',
  USER: 'user',
  Human: 'user',
  Assistant: 'assistant',
  ASSISTANT: 'assistant',
  'Assistant thinking': 'thinking',
  Think: 'thinking',
  Thinking: 'thinking',
  'Assistant tool calls': 'tool-calls',
  'Assistant tool call': 'tool-calls',
  'Tool Call': 'tool-calls',
  'Tool Calls': 'tool-calls',
  'Tool call': 'tool-calls',
  'Tool calls': 'tool-calls',
  'Tool result': 'tool-result',
  'Tool Result': 'tool-result',
  'TOOL RESULT': 'tool-result',
  TOOL: 'tool-result',
  FUNCTION: 'tool-result',
  'Tool error': 'tool-error',
  'Tool Error': 'tool-error',
  'TOOL ERROR': 'tool-error',
  System: 'other',
  SYSTEM: 'other',
  Developer: 'other',
  DEVELOPER: 'other',
}

const BY_BRACKET = new Map(Object.entries(BRACKET_ROLES))
const WITH_ID = /^(TOOL RESULT|Tool result|Tool Result|TOOL ERROR|Tool error|Tool Error) \S/

function bracketRole(name: string): BlockRole | null {
  const role = BY_BRACKET.get(name) ?? BY_BRACKET.get(WITH_ID.exec(name)?.[1] ?? '')
  return role ?? null
}

const TURN_ROLES = new Map<string, BlockRole>([
  ['Human', 'user'],
  ['User', 'user'],
  ['Assistant', 'assistant'],
  ['System', 'other'],
  ['Developer', 'other'],
  ['user', 'user'],
  ['human', 'user'],
  ['assistant', 'assistant'],
  ['thinking', 'thinking'],
  ['think', 'thinking'],
  ['tool_call', 'tool-calls'],
  ['tool_calls', 'tool-calls'],
  ['function_calls', 'tool-calls'],
  ['tool_result', 'tool-result'],
  ['tool_response', 'tool-result'],
  ['function_results', 'tool-result'],
  ['system', 'other'],
  ['developer', 'other'],
])

const turnRole = (name: string): BlockRole | null => TURN_ROLES.get(name) ?? null

/** Tried in order; the first one whose labels occur at all reads the whole conversation. */
export const LABEL_FAMILIES: readonly LabelFamily[] = [
  { pattern: /(^\s*|\r?\n\r?\n)\[([A-Za-z][^\]\n]{1,120})\]:(?: |(?=\r?\n|$))/g, roleOf: bracketRole, closing: null },
  { pattern: /(^\s*|\r?\n\r?\n)(Human|User|Assistant|System|Developer): /g, roleOf: turnRole, closing: null },
  {
    pattern:
      /(^\s*|\n)<(user|human|assistant|thinking|think|tool_calls?|function_calls|tool_result|tool_response|function_results|system|developer)(?: [^>\n]{0,200})?>\n?/g,
    roleOf: turnRole,
    closing: /<\/[a-z_]{2,20}>$/,
  },
]
