const REPLACEMENT = '\ufffd'

/** Everything but tab and newline; C1 controls included, since terminals obey some of them. */
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g
/** One pass for both faults; a whole pair matches too, which only costs the closer look. */
const MAY_BE_BROKEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\ud800-\udfff]/
const LINE_END = /\r\n?/g
/** Colours and cursor moves of a terminal say nothing to a model. */
const TERMINAL_CODE = /\u001b\[[0-9;:?]{0,32}[A-Za-z]/g

/** Tags our prompts and answers are built of, and those that models imitate once they have seen them (bug-log B124). */
const TAG =
  /<(?=\/?(?:conversation|previous-summary|additional-context|summary|analysis|think|thinking|read-files|modified-files|files|system-reminder)\b)/gi

/** Our block labels at the start of a line: pasted into data they would forge a turn (session-compaction §6). */
const LABEL = /^\[(User|Developer|Assistant|Assistant thinking|Assistant tool calls|Tool result|Tool error)\]:/gm

/** Directives that a message gateway acts on when they are written back (bug-log B214). */
const MEDIA = /\bMEDIA:[ \t]{0,4}[`"']?[^\s`"']+/g

/** Text without control characters, NUL and lone surrogates; line ends become newlines. */
export function cleanCharacters(text: string): string {
  if (!MAY_BE_BROKEN.test(text)) return text
  return text.toWellFormed().replace(TERMINAL_CODE, '').replace(LINE_END, '\n').replace(CONTROL, REPLACEMENT)
}

/** The opening bracket of our own tags escaped, so that data cannot close or forge a block (session-compaction §6). */
export function neutralizeTags(text: string): string {
  return text.includes('<') ? text.replace(TAG, '&lt;') : text
}

/** `MEDIA:` directives replaced by a neutral note (session-compaction §12 "Lists"). */
export function neutralizeMedia(text: string): string {
  return text.includes('MEDIA:') ? text.replace(MEDIA, '[media]') : text
}

function neutralizeLabels(text: string): string {
  return text.includes(']:') ? text.replace(LABEL, '[$1] :') : text
}

/** Data that may stand in a prompt: broken characters replaced, our tags and labels neutralised. */
export function cleanText(text: string): string {
  return neutralizeLabels(neutralizeTags(cleanCharacters(text)))
}

const isLow = (code: number): boolean => code >= 0xdc00 && code <= 0xdfff
const isHigh = (code: number): boolean => code >= 0xd800 && code <= 0xdbff

/** True when a cut at `at` would part a surrogate pair. */
function splitsPair(text: string, at: number): boolean {
  return at > 0 && at < text.length && isLow(text.charCodeAt(at)) && isHigh(text.charCodeAt(at - 1))
}

/** A slice that parts no surrogate pair: both ends move inwards (bug-log B110). */
export function sliceSafely(text: string, from: number, to: number): string {
  const start = splitsPair(text, from) ? from + 1 : from
  return text.slice(start, splitsPair(text, to) ? to - 1 : to)
}
