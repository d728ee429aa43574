import { utf8Length } from '../tokens/utf8.ts'

/** Fence of a code block, with any info string. */
const FENCE = /^\s{0,8}(?:```|~~~)/
const DIFF_LINE = /^(?:\+\+\+ |--- [\w./]|@@ |diff --git |index [0-9a-f]{6,}\b|[+-](?![\s-])\S)/
const STACK_LINE =
  /^\s*(?:at \S.{0,300}:\d+(?::\d+)?\)?$|File "[^"]{1,300}", line \d+|Traceback \(|\.{3} \d+ more$|(?:caused by|thread '.{1,60}' panicked))/i
const LOG_LINE =
  /^\s*(?:\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d|\[?\d\d:\d\d:\d\d|(?:\[?(?:TRACE|DEBUG|INFO|WARN|WARNING|ERROR|FATAL)\]?[:\s])|\$ |❯ |> {0,2}\w+@|npm (?:ERR!|WARN|error)|\w{0,40}(?:Error|Exception): |\d{1,6}[:|→]\s?)/
const CODE_LINE =
  /^\s*(?:(?:import|export|const|let|var|function|class|interface|type|enum|return|package|func|def|fn|pub|use|if|for|while|else|elif|public|private|static|#include|#!)\b.{0,300}[{};=(]|[})\]]+[;,)]?$|<\/?[a-zA-Z][^>]{0,200}>$|(?:\/\/|\/\*|\*\/|\* @|#!\/)|\|.{0,400}\|$)/
const CODE_END = /(?:[;{]|=>|\);|\},?|\]\);?)$/
/** What terminals draw: rulers and frames. */
const RULER = /[─━═│┃╭╮╰╯┌┐└┘├┤█▀▄■□░▓…]{3,}|[-=_*~.]{8,}/g
const CODE_MARKS = /[{}()<>;=|&$\\[\]+*]/g
// bounded: a line of at most 4,000 characters; every repetition has a bound of 400
const SPANS = /`[^`\n]{1,400}`|https?:\/\/\S{1,400}|"[^"\n]{1,200}"/g

/** Without one of these a line holds no span. */
const HAS_SPAN = /[`":]/

/** Whether a line reads like source, a diff, a log, a stack trace or a table and not like somebody's words. */
export function looksLikeCode(line: string): boolean {
  if (line.length > 4000) return true
  if (DIFF_LINE.test(line) || STACK_LINE.test(line) || LOG_LINE.test(line) || CODE_LINE.test(line)) return true
  const spanless = HAS_SPAN.test(line) ? line.replace(SPANS, '') : line
  // Emphasis is not code, however much of it there is.
  const bare = spanless.includes('**') ? spanless.replaceAll('**', '') : spanless
  if (bare.length > 8 && CODE_END.test(bare.trimEnd())) return true
  const marks = bare.match(CODE_MARKS)?.length ?? 0
  // By bytes: one sign of other scripts says as much as three letters.
  return bare.length >= 12 && marks / bare.length > 0.12 && marks / utf8Length(bare) > 0.12
}

/** A text of one turn that is longer is a paste: what its author says stands before or after it. */
const LONGEST_TURN = 64_000

/** The lines of a turn that are words, fenced blocks and pasted code or logs left out. Markdown marks stay. */
export function proseLines(turn: string, most = LONGEST_TURN): string[] {
  const bounded = turn.length > most ? `${turn.slice(0, most / 2)}\n${turn.slice(-most / 2)}` : turn
  const text = bounded.replace(RULER, '')
  const lines: string[] = []
  let fenced = false
  for (const line of text.split('\n')) {
    if (FENCE.test(line)) fenced = !fenced
    else if (!fenced && !looksLikeCode(line)) lines.push(line.trimEnd())
  }
  return lines
}
