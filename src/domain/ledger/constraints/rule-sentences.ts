import { proseLines } from '../../text/prose.ts'
import { sentencesOf, withoutBullet } from '../../text/sentences.ts'
import { fold, LABELS, LABELS_ALONE } from '../cues/patterns.ts'
import { rulesWithWhatFollows } from './rule-with-what-follows.ts'
import { mayHoldRules, ruleIn } from './standing-rule.ts'

// What is quoted was said by somebody else; a list item that is a quote too.
const QUOTED = /^\s*(?:[-*]\s*)?(?:[>"“«]|\*\*\w{1,40}(?: \w{0,40})?\*\*:)/
const WRAP_WIDTH = 50
const CONTINUES = /^\s*[\p{Ll}(]/u
const SHORTEST = 6
/** No sentence that somebody says is longer; what is, is a paste. */
const LONGEST = 1200
/** A request longer than this holds pasted text more often than not; then its middle lays nothing down. */
const LONG_TURN = 8000
const EDGE = 2000
/** A document that lays down more is a specification: its strongest sentences stand for it. */
const MOST_EACH = 12
const MOST_CHARS = 64_000
const PASTE =
  /\n#{1,6} |\n[ \t]{0,12}\|.{0,2000}\||\n[ \t]{0,12}\d{1,3}\. |\n(?:diff --git|commit [0-9a-f]{7,40}|Traceback )/

/** Sentences in which a turn of the user's lays something down, and entries of a list under a label like "Rules:". */
export function ruleSentences(text: string): string[] {
  const turn = ownPart(bounded(text))
  const may = mayHoldRules(turn)
  if (!may.sentence && !may.label) return []
  const lines = proseLines(turn)
  const labeled = may.label ? ruleList(lines).slice(0, MOST_EACH) : []
  if (!may.sentence) return labeled
  const said = joinWrapped(lines)
    .filter((line) => !QUOTED.test(line))
    .flatMap((line) => sentencesOf(withoutBullet(line)))
    .filter((sentence) => isRuleLength(sentence) && !sentence.endsWith(':') && ruleIn(sentence) !== null)
  const all = [...new Set([...said, ...rulesWithWhatFollows(turn), ...labeled])]
  if (all.length <= MOST_EACH) return all
  const { strong = [], rest = [] } = Object.groupBy(all, (each) => (ruleIn(each) === 'prohibition' ? 'strong' : 'rest'))
  const kept = new Set([...strong, ...rest].slice(0, MOST_EACH))
  return all.filter((sentence) => kept.has(sentence))
}

const isRuleLength = (sentence: string): boolean => sentence.length >= SHORTEST && sentence.length <= LONGEST

/** A turn of a megabyte is a paste: what its author says stands before or after it. */
function bounded(text: string): string {
  return text.length > MOST_CHARS ? `${text.slice(0, MOST_CHARS / 2)}\n${text.slice(-MOST_CHARS / 2)}` : text
}

/** Beginning and end of a turn whose middle looks pasted: many paragraphs, headings or tables. */
function ownPart(text: string): string {
  if (text.length <= LONG_TURN || !PASTE.test(text)) return text
  const head = text.slice(0, EDGE)
  const tail = text.slice(-EDGE)
  return `${head.slice(0, head.lastIndexOf('\n') + 1)}\n${tail.slice(tail.indexOf('\n') + 1)}`
}

/** Hard-wrapped paragraphs made one line again: a long line that goes on in lower case. */
function joinWrapped(lines: readonly string[]): string[] {
  const joined: string[] = []
  let length = 0
  for (const line of lines) {
    const last = joined.at(-1)
    if (last !== undefined && length >= WRAP_WIDTH && CONTINUES.test(line))
      joined[joined.length - 1] = `${last} ${line.trim()}`
    else joined.push(line)
    length = line.length
  }
  return joined
}

function ruleList(lines: readonly string[]): string[] {
  const sentences: string[] = []
  let listed = false
  for (const line of lines) {
    const bare = withoutBullet(line)
    if (bare === '') continue
    const folded = fold(bare)
    if (LABELS_ALONE.constraint.test(folded)) listed = true
    else if (bare === line.trim()) listed = false
    else if (listed) sentences.push(bare)
    if (LABELS.constraint.test(folded) && !LABELS_ALONE.constraint.test(folded))
      sentences.push(...sentencesOf(bare).slice(0, 1))
  }
  return sentences.filter((sentence) => isRuleLength(sentence) && !sentence.endsWith(':'))
}
