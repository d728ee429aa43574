import { keysOf } from '../../keys-of.ts'
/** What one block of a serialised conversation is, whatever the agent called it. `machine`: a program spoke. */
export type BlockRole =
  | 'user'
  | 'machine'
  | 'assistant'
  | 'thinking'
  | 'tool-calls'
  | 'tool-result'
  | 'tool-error'
  | 'other'

/**
 * THE table of labels: read on the way out of a transcript, defused on the way in (docs/spec/hostile.md §3). One name in a
 * row is enough for both. Small letters; a label may be spelled in any case.
 */
const NAMES: Readonly<Record<BlockRole, readonly string[]>> = {
  user: ['user', 'human'],
  machine: ['system notice'],
  assistant: ['assistant', 'ai', 'bot', 'model'],
  thinking: ['assistant thinking', 'bot thinking', 'thinking', 'think'],
  'tool-calls': [
    ...['assistant tool calls', 'assistant tool call', 'bot tool calls', 'bot tool call'],
    ...['tool calls', 'tool call', 'function calls', 'function call', 'tool request'],
  ],
  'tool-result': [
    ...['tool result', 'tool results', 'tool response', 'tool output', 'tool'],
    ...['function', 'function result', 'function results'],
  ],
  'tool-error': ['tool error'],
  other: ['system', 'developer'],
}

/** Without one of these there is no dialogue. */
export const USER_NAMES = NAMES.user

/** Names in other languages, which no agent writes and a model may still take for a turn: defused only. */
const TRANSLATED = [
  ...['usuario', 'usuário', 'utilisateur', 'utente', 'benutzer', 'nutzer', 'пользователь', 'kullanıcı', 'kullanici'],
  ...['用户', '用戶', 'ユーザー', '사용자', 'المستخدم', 'उपयोगकर्ता'],
  ...[
    'asistente',
    'assistente',
    'assistent',
    'ассистент',
    'asistan',
    '助手',
    'アシスタント',
    '어시스턴트',
    'المساعد',
    'सहायक',
  ],
  ...['工具调用', '工具结果', '系统'],
]

/** The labels that this service writes. */
export const OWN_LABELS = {
  user: 'User',
  machine: 'System notice',
  developer: 'Developer',
  assistant: 'Assistant',
  thinking: 'Assistant thinking',
  'tool-calls': 'Assistant tool calls',
  'tool-result': 'Tool result',
  'tool-error': 'Tool error',
} as const

const ROLES: ReadonlyMap<string, BlockRole> = new Map(
  keysOf(NAMES).flatMap((role) => NAMES[role].map((name) => [name, role] as const)),
)

/** Every name that is defused, in small letters. */
export const LABEL_NAMES: readonly string[] = [...ROLES.keys(), ...TRANSLATED]

const TRANSLATIONS = new Set(TRANSLATED)
const LONGEST_ID = 120
const WITH_ID = /^(tool (?:result|response|output|error)) \S/

const BEGINNINGS = new Set([...ROLES.keys()].flatMap((name) => [name.charCodeAt(0), name.toUpperCase().charCodeAt(0)]))

/** Whether a name of a label may begin with this character (UTF-16): most lines do not. */
export const beginsLabel = (code: number): boolean => BEGINNINGS.has(code)

/** The role of a name in any case, `tool_call` for `tool call`; of a result with its id, too (`TOOL RESULT call_1`). */
export function roleOfLabel(name: string): BlockRole | null {
  if (!beginsLabel(name.charCodeAt(0))) return null
  const known = name.toLowerCase().replaceAll('_', ' ')
  return ROLES.get(known) ?? ROLES.get(WITH_ID.exec(known)?.[1] ?? '') ?? null
}

/** How an agent spells its labels: all of one transcript are spelled alike, what differs was pasted. */
export const isSmallSpelled = (name: string): boolean => name === name.toLowerCase()

/** True for every name that data must not have as a label. */
export const isLabelName = (name: string): boolean => roleOfLabel(name) !== null || TRANSLATIONS.has(name.toLowerCase())

/** What stands in brackets with a colon after, `[User]:`. Offsets in its text; `end` is after the colon. */
export interface Bracketed {
  readonly name: string
  readonly end: number
}

/** The bracketed name that begins at `at`, or null. Looks at a bounded stretch. */
export function bracketedAt(text: string, at: number): Bracketed | null {
  if (text[at] !== '[') return null
  const stretch = text.slice(at + 1, at + 1 + LONGEST_ID)
  const length = stretch.search(/[[\]\n]/)
  const close = at + 1 + length
  const colon = text[close + 1]
  if (length < 0 || text[close] !== ']' || (colon !== ':' && colon !== '：')) return null
  return { name: stretch.slice(0, length), end: close + 2 }
}
