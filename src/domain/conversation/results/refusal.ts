/** A call that the user did not allow; `words`: what the user said about it, '' for nothing. */
export interface Refusal {
  readonly words: string
}

/** How agents answer for a user who said no; what stands in group 1 are the user's words. One row an agent. */
const SHAPES: readonly RegExp[] = [
  // Claude Code
  /^The user doesn't want to (?:proceed with this tool use|take this action right now)\.(?:[^\n]{0,400}?the user said:\s?\n([\s\S]*))?/,
  // opencode
  /^The user rejected permission to use this specific tool call(?: with the following feedback: ([\s\S]*)|\.?)/,
  // Cline, Roo Code
  /^(?:\{\s?"status":\s?"denied"[\s\S]{0,400}?"feedback":\s?"((?:[^"\\]|\\.)*)"|The user denied this operation(?:[^<]{0,200}<feedback>\s?([\s\S]*?)<\/feedback>)?|\{\s?"status":\s?"denied")/,
  // Codex
  /^(?:exec(?:_command| command)?|shell|apply_?patch|patch|command|tool)(?: \S{1,60})? (?:was )?(?:failed: )?(?:rejected|denied|declined) by (?:the )?user(?:[:.]\s?([\s\S]*))?/i,
  // Gemini CLI, Qwen Code
  /^\[?(?:Operation|Tool call|Request) (?:cancelled|denied|rejected)\]?[^\n]{0,40}?(?:user (?:did not allow|denied|rejected|cancelled)[^\n]{0,80}|by (?:the )?user[.!]?(?:\s?(?:reason|feedback)?:\s?([\s\S]*))?)/i,
  // pi, omp, LangChain and others: "User rejected the edit with comment: …", "Tool execution was denied by the user. Reason: …"
  /^(?:error:\s?)?(?:the )?user (?:has )?(?:rejected|denied|declined|refused|did not (?:allow|approve))\b[^\n:]{0,200}?(?::\s?([\s\S]*)|\bwith (?!id\b)(?:the )?(?:following )?(?:(?:reason|message|feedback|comment)s?:? )?["“']?([\s\S]*)|$)/i,
  /^(?:error:\s?)?(?:tool )?(?:call|execution|use|permission|approval)(?: \S{1,60})? (?:was |has been )?(?:denied|rejected|declined|refused)(?: by (?:the )?user)?\b\.?(?:\s?(?:reason|feedback|comment|message)?:\s?([\s\S]*)|[^\n]{0,80}$)/i,
]
/** What Claude Code says to the model behind the words. */
const NOTE = /\n\s?\n?Note: The user's next message may contain[\s\S]*$/
// bounded: 20,000 characters of one result
const FEEDBACK = /<feedback>\s?([\s\S]*?)\s?<\/feedback>/
/** What every row of the table begins with: nearly all results begin with none of it. */
const OPENING =
  /^(?:error:\s?)?(?:(?:the )?user |\{|exec|shell|apply_?patch|patch|command|\[?(?:operation|request|tool)|call|use|permission|approval)/i
const LONGEST = 20_000

/** Whether a result says that the user refused its call; it must say so at its very start. */
export function refusalOf(result: string): Refusal | null {
  const text = result.slice(0, LONGEST).trimStart()
  if (!OPENING.test(text)) return null
  for (const shape of SHAPES) {
    const match = shape.exec(text)
    if (match === null) continue
    const said = match.slice(1).find((group) => group !== undefined) ?? FEEDBACK.exec(text)?.[1] ?? ''
    return { words: (FEEDBACK.exec(said)?.[1] ?? said).replace(NOTE, '').trim() }
  }
  return null
}
