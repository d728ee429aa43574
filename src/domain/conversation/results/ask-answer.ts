import { isRecord } from '../../is-record.ts'
import { parseJson } from '../../parse-json.ts'

// bounded: 20,000 characters of one result
const TAGGED = /<(answer|feedback|user_message|user_response|user_answer)>\s?([\s\S]*?)<\/\1>/g
/** `"question"="answer"` of AskUserQuestion. */
// bounded: 20,000 characters of one result
const PAIR = /"(?:[^"\\\n]|\\.){1,600}"\s?=\s?"((?:[^"\\]|\\.){0,4000})"/g
const LEAD =
  /^(?:answer|response|(?:the )?user(?:'s)? (?:has )?(?:answered|answer|selected|selection|chose|choice|responded|response|replied|said|provided)[^:\n]{0,80}):\s?/i
const NO_ANSWER = /^(?:the )?user (?:did not|didn't|has not|dismissed|skipped|cancelled|canceled)\b[^\n]{0,120}$/i
/** `Q: …` and `A: …` on lines of their own. */
const ANSWER_LINE = /^A\d{0,2}: ?([^\n]+)$/gm
const AGENTS_NOTE = /\n?\s?You can now continue with the user's answers in mind\.?\s?$/
const ANSWER_KEYS =
  /^(?:answers?|response|responses|selected|selection|choice|choices|value|text|feedback|notes?|comment|other|freeform|custom|reply|result|(?:user_?)?(?:input|answer|response|reply|text|message))$/i
const LONGEST = 20_000
const MOST = 40

/** The user's words in the result of a tool that asks the user, '' for none (docs/spec/reading.md §2). */
export function askAnswer(result: string): string {
  const text = result.slice(0, LONGEST).trim()
  if (NO_ANSWER.test(text)) return ''
  const tagged = Array.from(text.matchAll(TAGGED), (match) => (match[2] ?? '').trim())
  if (tagged.length > 0) return tagged.join('\n')
  if (/^[{["]/.test(text)) {
    const parsed = parseJson(text)
    if (parsed !== undefined) return fromJson(parsed).join('\n')
  }
  const pairs = Array.from(text.matchAll(PAIR), (match) => (match[1] ?? '').replace(/\\(["\\])/g, '$1'))
  if (pairs.length > 0) return pairs.filter((answer) => answer !== '').join('\n')
  const lines = text.startsWith('Q') ? Array.from(text.matchAll(ANSWER_LINE), (match) => (match[1] ?? '').trim()) : []
  if (lines.length > 0) return lines.join('\n')
  return text.replace(LEAD, '').replace(AGENTS_NOTE, '').trim()
}

/** Every string below a key that names an answer; of a plain list every string. */
function fromJson(value: unknown): string[] {
  const found: string[] = []
  const stack: { value: unknown; isAnswer: boolean }[] = [
    { value, isAnswer: Array.isArray(value) || typeof value === 'string' },
  ]
  while (stack.length > 0 && found.length < MOST) {
    const next = stack.pop()
    if (next === undefined) break
    if (typeof next.value === 'string') {
      if (next.isAnswer && next.value.trim() !== '') found.push(next.value.trim())
    } else if (Array.isArray(next.value)) {
      const items: readonly unknown[] = next.value.slice(0, MOST).toReversed()
      for (const value of items) stack.push({ value, isAnswer: next.isAnswer })
    } else if (isRecord(next.value)) {
      const isInside = next.isAnswer && !Object.keys(next.value).some((key) => ANSWER_KEYS.test(key))
      for (const [key, item] of Object.entries(next.value).slice(0, MOST).toReversed())
        stack.push({ value: item, isAnswer: isInside || ANSWER_KEYS.test(key) })
    }
  }
  return found
}
