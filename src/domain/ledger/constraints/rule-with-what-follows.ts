import { sentencesOf, withoutBullet } from '../../text/sentences.ts'
import { ruleIn } from './standing-rule.ts'

const FENCE = /^\s{0,8}(?:```|~~~)/
const COLON_AT_END = /[:：]$/
const LONGEST_LINE = 400
/** What a rule takes with it: a command or two, a short list. */
const MOST_LINES = 8
const MOST_CHARS = 400
const MOST_RULES = 12

/**
 * Rules that end with a colon say nothing without what follows them: "You must use this command:" and its code block, "Do not
 * touch:" and its list. Each in one line; what is longer than a rule is left out (docs/spec/truth.md §4).
 */
export function rulesWithWhatFollows(text: string): string[] {
  if (!/[:：]\s{0,40}\n/.test(text)) return []
  const lines = text.split('\n')
  const found: string[] = []
  for (const [at, line] of lines.entries()) {
    if (found.length >= MOST_RULES) break
    const bare = line.trimEnd()
    if (bare.length > LONGEST_LINE || !COLON_AT_END.test(bare)) continue
    const sentence = sentencesOf(withoutBullet(bare)).at(-1)
    if (sentence === undefined || ruleIn(sentence) === null) continue
    const follows = whatFollows(lines, at + 1)
    if (follows !== '') found.push(`${sentence} ${follows}`)
  }
  return found
}

function whatFollows(lines: readonly string[], from: number): string {
  const start = lines[from]?.trim() === '' ? from + 1 : from
  const next = lines.slice(start, start + MOST_LINES + 2)
  const taken = FENCE.test(next[0] ?? '') ? fenced(next) : listed(next)
  const joined = taken.join('; ')
  return joined.length > MOST_CHARS ? '' : joined
}

/** A block whose end is not in sight is a document. */
function fenced([, ...rest]: readonly string[]): string[] {
  const end = rest.findIndex((line) => FENCE.test(line))
  return end < 1 ? [] : rest.slice(0, end).map((line) => `\`${line.trim()}\``)
}

function listed(lines: readonly string[]): string[] {
  const end = lines.findIndex((line) => line.trim() === '' || withoutBullet(line) === line.trim())
  return end < 0 || end > MOST_LINES ? [] : lines.slice(0, end).map(withoutBullet)
}
