/** A call that the user did not allow; `words`: what the user said about it, '' for nothing. */
export interface Refusal {
  readonly words: string
}

/** Sentences of single agents; what stands in the group are the user's words. One row an agent. */
const SHAPES: readonly RegExp[] = [
  // Claude Code
  /^The user doesn't want to (?:proceed with this tool use|take this action right now)\.(?:[^\n]{0,400}?the user said:\s?\n([\s\S]*))?/,
  // opencode
  /^The user rejected permission to use this specific tool call(?: with the following feedback: ([\s\S]*)|\.?)/,
  // Cline, Roo Code
  /^(?:\{\s?"status":\s?"denied"[\s\S]{0,400}?"feedback":\s?"((?:[^"\\]|\\.)*)"|The user denied this operation(?:[^<]{0,200}<feedback>\s?([\s\S]*?)<\/feedback>)?|\{\s?"status":\s?"denied")/,
  // Gemini CLI, Qwen Code
  /^\[?(?:Operation|Tool call|Request) (?:cancelled|denied|rejected)\]?[^\n]{0,40}?(?:user (?:did not allow|denied|rejected|cancelled)[^\n]{0,80}|by (?:the )?user[.!]?(?:\s?(?:reason|feedback)?:\s?([\s\S]*))?)/i,
]
/** How all the others begin; what the user said stands after it (`SAID`). */
const OPENINGS: readonly RegExp[] = [
  // pi, omp, LangChain: "User rejected the edit with comment: …"
  /^(?:(?:error|skipped):\s?)?(?:the )?(?:user|human|operator) (?:has )?(?:chose to (?:reject|deny|decline)|rejected|denied|declined|refused|did not (?:allow|approve))\b/i,
  // Codex: "exec_command failed: rejected by user"; AI SDK, LangGraph: "The tool call was rejected by the user. Reason: …"
  /^(?:error:\s?)?(?:[\w.-]{1,60}:? ){0,5}?(?:rejected|denied|declined|refused|not (?:approved|allowed|permitted)) by (?:the )?(?:user|human|operator)\b/i,
  /^(?:error:\s?)?(?:tool )?(?:call|execution|use|approval)(?: \S{1,60})? (?:was |has been )?(?:denied|rejected|declined|refused)\b/i,
  /^(?:error:\s?)?permission to use [^\n:]{1,300}? has been (?:denied|rejected)\b/i,
]
/** Behind such an opening: after a colon, after "with feedback", or on a line of its own under a label. */
const SAID =
  /^(?:[^\n:]{0,200}?(?::\s?([\s\S]*)|\bwith (?!id\b)(?:the )?(?:following )?(?:(?:reason|message|feedback|comment)s? )?(["“'][\s\S]*)|$)|[^\n:]{0,200}\n\s{0,4}(?:user )?(?:reason|feedback|comment|message|response)\s?:\s?([\s\S]*)|[^\n:]{0,200}\n)/i
/** What Claude Code says to the model after the words. */
const NOTE = /\n\s?\n?Note: The user's next message may contain[\s\S]*$/
// bounded: 20,000 characters of one result
const FEEDBACK = /<feedback>\s?([\s\S]*?)\s?<\/feedback>/
const QUOTED = /^["“']([\s\S]*)["”']\.?$/
const TAG = /^<tool_use_error>([\s\S]*?)(?:<\/tool_use_error>|$)/
/** One of these stands near the start of every refusal: nearly all results hold none. */
const NEAR = /reject|denied|declin|refus|not (?:allow|approv|permit)|doesn't want to|to deny|permission to use/i
const NEAR_START = 160
const LONGEST = 20_000

/** Whether a result says that the user refused its call; it must say so at its very start. */
export function refusalOf(result: string): Refusal | null {
  if (!NEAR.test(result.slice(0, NEAR_START))) return null
  const whole = result.slice(0, LONGEST).trimStart()
  const text = whole.startsWith('<') ? (TAG.exec(whole)?.[1] ?? whole) : whole
  for (const shape of SHAPES) {
    const match = shape.exec(text)
    if (match !== null) return { words: wordsOf(match) }
  }
  for (const opening of OPENINGS) {
    const match = opening.exec(text)
    const said = match === null ? null : SAID.exec(text.slice(match[0].length))
    if (said !== null) return { words: wordsOf(said) }
  }
  return null
}

function wordsOf(match: RegExpExecArray): string {
  const said = (match.slice(1).find((group) => group !== undefined) ?? FEEDBACK.exec(match.input)?.[1] ?? '').trim()
  const words = (FEEDBACK.exec(said)?.[1] ?? said).replace(NOTE, '').trim()
  return QUOTED.exec(words)?.[1]?.trim() ?? words
}
