import { sentencesOf, withoutBullet } from '../text/sentences.ts'
import { utf8Length } from '../tokens/utf8.ts'
import { fold } from './cues/patterns.ts'
import type { Outcome } from './ledger-value.ts'
import { linksSaid } from './links.ts'
import type { Saying, Timeline, UserTurn } from './timeline.ts'

/** What says nothing by itself at the head of an answer. */
const FILLER =
  /^(?:(?:all )?(?:done|perfect|great|excellent|nice|awesome|sure|ok(?:ay)?|yes|no|got it|understood|right|correct|good(?: (?:catch|question|point|idea|observation))?|sounds good|exactly|updated|yes[\s—–,-]{1,3}exactly|no response requested|that makes sense|makes sense|happy to|i see|you(?:'re| are) (?:absolutely )?right|absolutely|of course|certainly|all set|finished|fertig|erledigt|listo|hecho|fait|feito|fatto|готово|完成|完了|완료|tamam|تم|हो गया)(?:[ ,]{1,4}(?:that|it|thanks|thank you).{0,30})?)[\s.!,:;✅🎉👍]{0,20}$/iu
const SUMMARY_LABEL =
  /^(?:(?:here(?:'s| is| are)|below|the following|summary|in summary|what (?:i|was|changed|we)|changes?(?: made)?|zusammenfassung|resumen|résumé|总结|概要|요약|итог)\b.{0,120}|.{0,80})[:：]$/i
const INTENT = /^(?:let me|i'll|i will|now i|next i|next,? i|i'm going to|first,? i)\b/
/** What an agent puts in the place of a message. */
const PLACEHOLDER = /^\[[^\]]{1,300}\]$|^\(no (?:content|output)\)$/
const SHORTEST_BYTES = 8
const FIRST_MOST = 420
/** What the newest turns may tell beyond their first sentence, and how many they are. */
const MORE_MOST = 500
const MORE_SENTENCES = 4
const NEWEST_TURNS = 2
/** Names that are told behind the sentence, as far as it does not hold them. */
const MOST_NAMES = 5
const FACT = /\d|https?:\/\/|`[^`]+`|[\w-]\/[\w./-]|\b[A-Z]{2,}-\d/

/** One line for every turn of the user's that was answered: what came of it (docs/spec/truth.md §4). */
export function outcomesOf(timeline: Timeline, newestCarried: string): Outcome[] {
  const closings = new Map<number, Saying>()
  for (const saying of timeline.sayings) if (saying.isClosing) closings.set(saying.number, saying)
  const turns = new Map(timeline.turns.map((turn) => [turn.number, turn]))
  const outcomes: Outcome[] = []
  for (const [number, saying] of closings) {
    const text = outcomeOf(saying, number > timeline.lastNumber - NEWEST_TURNS)
    if (text !== '')
      outcomes.push({ text, turn: number, ask: askOf(turns.get(number), newestCarried), isCarried: false })
  }
  return outcomes
}

const askOf = (turn: UserTurn | undefined, carried: string): string => (turn === undefined ? carried : turn.text)

/** The first informative sentence of a closing message with the links and names it points at; of the newest more. */
function outcomeOf(saying: Saying, isNewest: boolean): string {
  const sentences = informative(saying.lines)
  const first = sentences[0]
  if (first === undefined) return ''
  let text = first
  let room = isNewest ? MORE_MOST : 0
  for (const sentence of sentences.slice(1, 1 + 3 * MORE_SENTENCES)) {
    if (sentence.length > room) break
    if (!FACT.test(sentence)) continue
    text += `${/[.!?。！？;:]$/.test(text) ? '' : ';'} ${sentence}`
    room -= sentence.length
  }
  const missing = linksSaid(saying).filter((link) => !text.includes(link))
  return missing.length === 0 ? text : `${text} (${missing.slice(0, MOST_NAMES).join(', ')})`
}

function informative(lines: readonly string[]): string[] {
  const found: string[] = []
  let label = ''
  for (const line of lines) {
    const bare = withoutBullet(line).replace(/^\*\*([^*\n]{1,200})\*\*/, '$1')
    if (bare === '' || /^#{1,6}\s/.test(bare) || /^[-*_=|\s]{3,}$/.test(bare)) continue
    for (const sentence of sentencesOf(bare)) {
      if (
        FILLER.test(sentence) ||
        PLACEHOLDER.test(sentence) ||
        /[?？؟]["')]*$/.test(sentence) ||
        INTENT.test(fold(sentence))
      )
        continue
      if (SUMMARY_LABEL.test(sentence)) {
        label = sentence
        continue
      }
      if (utf8Length(sentence) < SHORTEST_BYTES && !FACT.test(sentence)) continue
      found.push(
        label === '' || found.length > 0 || /^(?:here|below|the following|summary|in summary)/i.test(label)
          ? sentence
          : `${label} ${sentence}`,
      )
      label = ''
    }
    if (found.length > 12) break
  }
  return found.map((sentence) =>
    sentence.length <= FIRST_MOST ? sentence : sentence.slice(0, sentence.lastIndexOf(' ', FIRST_MOST)),
  )
}
