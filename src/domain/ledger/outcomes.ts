import { proseLines } from '../text/prose.ts'
import { sentencesOf, withoutBullet } from '../text/sentences.ts'
import { utf8Length } from '../tokens/utf8.ts'
import { fold } from './cues/patterns.ts'
import type { Outcome } from './ledger-value.ts'
import { linksIn } from './links.ts'
import type { Saying, Timeline, UserTurn } from './timeline.ts'

/** What says nothing by itself at the head of an answer. */
const FILLER =
  /^(?:(?:all )?(?:done|perfect|great|excellent|nice|awesome|sure|ok(?:ay)?|yes|no|got it|understood|right|correct|good(?: (?:catch|question|point|idea))?|you(?:'re| are) (?:absolutely )?right|absolutely|of course|certainly|all set|finished|fertig|erledigt|listo|hecho|fait|feito|fatto|готово|完成|完了|완료|tamam|تم|हो गया)(?:[ ,]+(?:that|it|thanks|thank you).{0,30})?)[\s.!,:;✅🎉👍]*$/iu
const SUMMARY_LABEL =
  /^(?:(?:here(?:'s| is| are)|below|the following|summary|in summary|what (?:i|was|changed|we)|changes?(?: made)?|zusammenfassung|resumen|résumé|总结|概要|요약|итог)\b.{0,120}|.{0,80})[:：]$/i
const INTENT = /^(?:let me|i'll|i will|now i|next i|next,? i|i'm going to|first,? i)\b/
const SHORTEST_BYTES = 8
const FIRST_MOST = 420
/** Facts beyond the first sentence: as long as they bring numbers, links or names. */
const MORE_MOST = 420
const MORE_SENTENCES = 4
const NEWEST_MORE = 700
const FACT = /\d|https?:\/\/|`[^`]+`|[\w-]+\/[\w./-]+|\b[A-Z]{2,}-\d/

/** One line for every turn of the user's that was answered: what came of it (docs/spec/truth.md §4). */
export function outcomesOf(timeline: Timeline, newestCarried: string): Outcome[] {
  const closings = new Map<number, Saying>()
  for (const saying of timeline.sayings) if (saying.isClosing) closings.set(saying.number, saying)
  const turns = new Map(timeline.turns.map((turn) => [turn.number, turn]))
  const outcomes: Outcome[] = []
  for (const [number, saying] of closings) {
    const text = outcomeOf(saying, number === timeline.lastNumber)
    if (text !== '')
      outcomes.push({ text, turn: number, ask: askOf(turns.get(number), newestCarried), isCarried: false })
  }
  return outcomes
}

const askOf = (turn: UserTurn | undefined, carried: string): string => (turn === undefined ? carried : turn.text)

/** The first informative sentence of a closing message with what it points at, and further ones that bring facts. */
function outcomeOf(saying: Saying, isNewest: boolean): string {
  const sentences = informative(saying.text)
  const first = sentences[0]
  if (first === undefined) return ''
  let text = first
  let room = isNewest ? NEWEST_MORE : MORE_MOST
  let added = 0
  for (const sentence of sentences.slice(1)) {
    if (added >= MORE_SENTENCES || sentence.length > room) break
    if (!FACT.test(sentence)) continue
    text += `${/[.!?。！？;:]$/.test(text) ? '' : ';'} ${sentence}`
    room -= sentence.length
    added += 1
  }
  const missing = linksIn(saying.text).filter((link) => link.startsWith('http') && !text.includes(link))
  return missing.length === 0 || missing.length > 4 ? text : `${text} (${missing.join(', ')})`
}

function informative(message: string): string[] {
  const found: string[] = []
  let label = ''
  for (const line of proseLines(message)) {
    const bare = withoutBullet(line).replace(/^\*\*([^*\n]{1,200})\*\*/, '$1')
    if (bare === '' || /^#{1,6}\s/.test(bare) || /^[-*_=|\s]{3,}$/.test(bare)) continue
    for (const sentence of sentencesOf(bare)) {
      if (FILLER.test(sentence) || /[?？؟]["')]*$/.test(sentence) || INTENT.test(fold(sentence))) continue
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
