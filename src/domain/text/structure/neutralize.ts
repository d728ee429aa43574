import { ANSWER_TAG, DATA_TAG, SUMMARY_TAG } from './frames.ts'
import { bracketedAt, isLabelName } from './labels.ts'

/** Directives that a message gateway acts on when they are written back (docs/bug-log.md B214). */
const MEDIA = /\bMEDIA:[ \t]{0,4}[`"']?[^\s`"']+/g
/** The head of a list of calls that one agent appends to its words (docs/spec/reading.md §5). */
const CALL_LIST = /\[(Tool calls?):(?=[ \t]{0,8}\r?$)/gim
/** Marks of chat templates: special tokens in either bar, `<<SYS>>`, `[INST]` and its kin, triangles. */
const TOKEN = /<(?=[|｜][^|｜<>\n]{1,64}[|｜]>|<\/?SYS>>)/g
const BRACKET_MARK = /\[(?=\/?(?:INST|SYSTEM_PROMPT|AVAILABLE_TOOLS|TOOL_CALLS|TOOL_RESULTS|TOOL_CONTENT|IMG)\])/g
const TRIANGLE = /◁(?=[^\s◁▷][^◁▷\n]{0,63}▷)/g

/** `MEDIA:` directives replaced by a neutral note. */
function neutralizeMedia(text: string): string {
  return text.includes('MEDIA:') ? text.replace(MEDIA, '[media]') : text
}

/** The opening bracket of every framing tag escaped, so that data cannot close or forge a block. */
function neutralizeTags(text: string): string {
  return text.includes('<') ? text.replace(DATA_TAG, '&lt;') : text
}

/** The tags around a stored summary escaped in it: it cannot close its frame where a context is rendered. */
export function neutralizeSummaryTags(text: string): string {
  return text.includes('<') ? text.replace(SUMMARY_TAG, '&lt;') : text
}

function neutralizeMarks(text: string): string {
  let result = text
  if (result.includes('|>') || result.includes('｜>') || result.includes('SYS>>'))
    result = result.replace(TOKEN, '&lt;')
  if (result.includes('◁')) result = result.replace(TRIANGLE, '◁ ')
  if (!result.includes('[')) return result
  result = result.replace(BRACKET_MARK, '[ ')
  return result.includes(':') ? result.replace(CALL_LIST, '[$1 :') : result
}

const COLON = /\][:：]/g
const LONGEST_LABEL = 121

/** `[User]:` at the start of a line or after list and quote marks becomes `[User] :`, for every label of the table. */
export function neutralizeLabels(text: string): string {
  if (!text.includes(']:') && !text.includes(']：')) return text
  const parts: string[] = []
  let copied = 0
  for (const { index } of text.matchAll(COLON)) {
    const open = text.slice(Math.max(copied, index - LONGEST_LABEL), index).lastIndexOf('[')
    const at = Math.max(copied, index - LONGEST_LABEL) + open
    const name = open < 0 || !beginsLine(text, at) ? undefined : bracketedAt(text, at)?.name
    if (name === undefined || !isLabelName(name)) continue
    parts.push(text.slice(copied, index + 1), ' ')
    copied = index + 1
  }
  return copied === 0 ? text : parts.join('') + text.slice(copied)
}

const LINE_ENDS = '\n\r\u2028\u2029'
const BEFORE_LABEL = ' \t\u00a0-*+•–>#0123456789.)'
const MOST_BEFORE = 64

/** True when nothing but space, list, quote and heading marks stand before `at` on its line. */
function beginsLine(text: string, at: number): boolean {
  for (let before = at - 1; before >= 0 && at - before <= MOST_BEFORE; before -= 1) {
    const char = text.charAt(before)
    if (LINE_ENDS.includes(char)) return true
    if (!BEFORE_LABEL.includes(char)) return false
  }
  return true
}

/** Data that may stand in a prompt: nothing of it is a label, a frame, a mark of a chat template or a directive any more. */
export function neutralizeData(text: string): string {
  return neutralizeLabels(neutralizeMarks(neutralizeTags(neutralizeMedia(text))))
}

/** An answer that may be stored: the same, but the tags of file lists stay, since a summary tells its files by them. */
export function neutralizeAnswer(text: string): string {
  const tagged = text.includes('<') ? text.replace(ANSWER_TAG, '&lt;') : text
  return neutralizeLabels(neutralizeMarks(neutralizeMedia(tagged)))
}
