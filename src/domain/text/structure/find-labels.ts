import { type BlockRole, beginsLabel, bracketedAt, isSmallSpelled, roleOfLabel } from './labels.ts'

/** How an agent marks its blocks: `[User]: x`, `User: x`, `**User:** x`, a line `# USER`, `<user>` and `</user>`. */
export type LabelFamily = 'bracket' | 'plain' | 'bold' | 'heading' | 'tag'

/** One label of a conversation; offsets in its text. */
export interface Label {
  readonly family: LabelFamily
  readonly role: BlockRole
  readonly name: string
  readonly at: number
  /** Where the text of the block begins. */
  readonly textAt: number
  /** A blank line, or the beginning of the text, stands before it. */
  readonly afterBlank: boolean
}

/**
 * The labels of a conversation, in order: those of the family and spelling of the first one, that end the block before them.
 * Where the agent writes blank lines between its blocks, only a label after one counts, but for the result of a call: what
 * a tool printed ends at no other line (docs/spec/hostile.md §3). Linear.
 */
export function findLabels(text: string): readonly Label[] {
  const all = candidates(text)
  return all[0] === undefined ? [] : labelsLike(all[0], all, text)
}

/**
 * The labels of a dialogue in a text that no tag frames: of the first family and spelling that has a user and an assistant;
 * none when no family has. Only for texts without a frame, since data may hold a dialogue of its own.
 */
export function findDialogue(text: string): readonly Label[] {
  const all = candidates(text)
  const tried = new Set<string>()
  for (const first of all) {
    const kind = kindOf(first)
    if (tried.has(kind)) continue
    tried.add(kind)
    const labels = labelsLike(first, all, text)
    if (isDialogue(labels)) return labels
  }
  return []
}

const kindOf = ({ family, name }: Label): string => `${family} ${isSmallSpelled(name)}`

const isDialogue = (labels: readonly Label[]): boolean =>
  ['user', 'assistant'].every((role) => labels.some((label) => label.role === role))

function labelsLike(first: Label, all: readonly Label[], text: string): readonly Label[] {
  const isSmall = isSmallSpelled(first.name)
  const labels = all.filter(({ family, name }) => family === first.family && isSmallSpelled(name) === isSmall)
  if (first.family === 'tag') return outsideTags(labels, text)
  const isSpaced = writesBlankLines(labels)
  let role: BlockRole = 'other'
  return labels.filter((label, i) => {
    const counts = i === 0 || label.afterBlank || !isSpaced || (role === 'tool-calls' && isResult(label))
    if (counts) role = label.role
    return counts
  })
}

const isResult = ({ role }: Label): boolean => role === 'tool-result' || role === 'tool-error'

/** Judged by what stands before the first result, since that could forge labels; in doubt it does. */
function writesBlankLines(labels: readonly Label[]): boolean {
  let blank = 0
  let close = 0
  for (const [i, label] of labels.entries()) {
    if (isResult(label)) break
    if (i === 0) continue
    if (label.afterBlank) blank += 1
    else close += 1
  }
  return blank >= close
}

/** A tag inside another one that is closed is data of that one. */
function outsideTags(labels: readonly Label[], text: string): Label[] {
  const unclosed = new Set<string>()
  let end = 0
  return labels.filter(({ at, name, textAt }) => {
    if (at < end) return false
    const close = unclosed.has(name) ? -1 : text.indexOf(`</${name}>`, textAt)
    if (close < 0) unclosed.add(name)
    end = close
    return true
  })
}

function candidates(text: string): Label[] {
  const found: Label[] = []
  for (let at = 0; at < text.length; ) {
    const newline = text.indexOf('\n', at)
    const end = newline < 0 ? text.length : newline
    const label = labelAt(text, found.length === 0 ? skipSpace(text, at, end) : at, end)
    if (label !== null) found.push({ ...label, afterBlank: isAfterBlank(text, at) })
    at = end + 1
  }
  return found
}

/** `at` begins a line: whether the one before it is blank, or there is none. */
function isAfterBlank(text: string, at: number): boolean {
  const end = at - 1
  return end <= 0 || isBlankLine(text, text.lastIndexOf('\n', end - 1) + 1, end)
}

const MOST_SPACE = 200
const isSpace = (char: string | undefined): boolean => char === ' ' || char === '\t' || char === '\r'

function skipSpace(text: string, from: number, end: number): number {
  let at = from
  while (at < end && isSpace(text[at])) at += 1
  return at
}

function isBlankLine(text: string, from: number, end: number): boolean {
  return end - from <= MOST_SPACE && skipSpace(text, from, end) === end
}

type Found = Omit<Label, 'afterBlank'>

/** The label that a line begins with; `end` is the offset of its line end. */
function labelAt(text: string, at: number, end: number): Found | null {
  switch (text[at]) {
    case undefined:
    case '\n':
    case ' ':
      return null
    case '[':
      return bracketLabel(text, at, end)
    case '#':
      return lineLabel('heading', HEADING, { text, at, end })
    case '*':
      return lineLabel('bold', BOLD, { text, at, end })
    case '<':
      return lineLabel('tag', TAG, { text, at, end })
    default:
      return plainLabel(text, at, end)
  }
}

function bracketLabel(text: string, at: number, end: number): Found | null {
  const label = bracketedAt(text, at)
  if (label === null || (label.end < end && !isSpace(text[label.end]))) return null
  const role = roleOfLabel(label.name)
  return role === null
    ? null
    : { family: 'bracket', role, name: label.name, at, textAt: textFrom(text, label.end, end) }
}

/** Behind one space; what is left of an empty line goes, too. */
function textFrom(text: string, from: number, end: number): number {
  return skipSpace(text, from, end) === end ? Math.min(end + 1, text.length) : from + (text[from] === ' ' ? 1 : 0)
}

const LONGEST = 300
const HEADING = /^#{1,6}[ \t]{1,4}([\p{L}][\p{L} _]{1,30})[ \t]{0,4}:?[ \t\r#]{0,8}$/u
const BOLD = /^\*\*([\p{L}][\p{L} _]{1,30})(?::\*\*|\*\*:)(?= |\r?$)/u
const TAG = /^<([a-z_]{2,20})(?: [^<>]{0,200})?>/
/** Only these: `<model>` and `<function>` are tags of many other things. */
const TAGS = new Set(
  'user human assistant thinking think tool_call tool_calls function_calls tool_result tool_response function_results system developer'.split(
    ' ',
  ),
)

function lineLabel(
  family: LabelFamily,
  pattern: RegExp,
  { text, at, end }: { readonly text: string; readonly at: number; readonly end: number },
): Found | null {
  if (family === 'heading' && end - at > LONGEST) return null
  const match = pattern.exec(text.slice(at, Math.min(end, at + LONGEST)))
  const name = match?.[1]?.trimEnd()
  if (match === null || name === undefined || (family === 'tag' && !TAGS.has(name))) return null
  const role = roleOfLabel(name)
  return role === null ? null : { family, role, name, at, textAt: textFrom(text, at + match[0].length, end) }
}

const LONGEST_PLAIN = 24

function plainLabel(text: string, at: number, end: number): Found | null {
  if (!beginsLabel(text.charCodeAt(at))) return null
  const colon = text.slice(at, Math.min(end, at + LONGEST_PLAIN)).search(/[:：]/)
  if (colon < 2) return null
  const behind = at + colon + 1
  if (behind < end && !isSpace(text[behind]) && text[behind - 1] === ':') return null
  const name = text.slice(at, at + colon)
  const role = roleOfLabel(name)
  return role === null ? null : { family: 'plain', role, name, at, textAt: textFrom(text, behind, end) }
}
