import { sentencesOf, withoutBullet } from '../../text/sentences.ts'
import { utf8Length } from '../../tokens/utf8.ts'
import { contentWords } from '../content-words.ts'
import { CUES, fold } from '../cues/patterns.ts'

/** Words that open an answer and tell nothing by themselves: agreement, praise, "done". */
const NODS =
  "oh|ah{1,4}|(?:ha){2,6}|yep|yeah|yup|yes|no|nope|right|exactly|correct|perfect|nice|great|excellent|awesome|good(?: (?:catch|question|point|idea|observation|call|news))?|ok(?:ay)?|sure|got it(?: now)?|understood|agreed|absolutely|of course|certainly|fair(?: enough| point)?|makes sense|that(?:'s| is) (?:right|correct|fine|good|it|the right (?:framing|idea|call))|that makes (?:total |perfect |complete )?sense|sounds good|all (?:done|set|good|clean|clear)(?: then| now)?|done|finished|updated|clean|there it is|found it|happy to(?: help)?|i see|you(?:'re| are) (?:absolutely |basically |completely |totally |quite |exactly )?right|(?:that|it|this) looks (?:perfect|great|good|amazing|right)|most likely|my (?:bad|mistake)|sorry|no response requested|thanks?|thank you|ja|genau|klar|stimmt|erledigt|fertig|sí|claro|exacto|listo|hecho|oui|d'accord|exactement|fait|voilà|sì|certo|esatto|fatto|sim|exato|feito|да|точно|готово|конечно|evet|tamam|bitti|نعم|تم|حسنا|हाँ|ठीक है|हो गया|好的|是的|对|没错|完成|はい|了解|完了|네|예|맞습니다|완료"
const STOP = '[\\s.,;:!…—–✅🎉👍-]|\\p{Extended_Pictographic}'
const NOD = new RegExp(
  `^(?:(?:${NODS})(?:\\s(?:${NODS})){0,3}(?:(?:${STOP}){0,3}(?:[.,;:!…—–-]|\\p{Extended_Pictographic})(?:${STOP}){0,3}|$)){1,4}`,
  'iu',
)
/** What only announces that something follows. */
const ANNOUNCES =
  /^(?:so,? )?(?:here(?:'s| is| are)|below|the following|based on (?:my|the|this|what)|summary|in summary|what (?:i|was|changed|we|it)|this is what|i found|zusammenfassung|resumen|résumé|riepilogo|resumo|总结|總結|概要|まとめ|요약|итог|özet|ملخص|सारांश)(?![\p{L}\p{N}])/iu
const INTENT = /^(?:let me|let's|i'll|i will|now i|next i|next,? i|i'm going to|first,? i)\b/
/** What an agent puts in the place of a message. */
const PLACEHOLDER = /^\[[^\]]{1,300}\]$|^\(no (?:content|output)\)$/
const QUESTION = /[?？؟]["')]*$/
const COLON = /[:：]$/
const SHORTEST_BYTES = 8
const LABEL_MOST = 160
const LONGEST = 420
const MOST = 12
const MOST_ITEMS = 3
const LEAST_WORDS = 2
const FACT = /\d|`[^`]+`|[\w-]\/[\w./-]/

/**
 * What a message says, in order: its sentences without nods, announcements, plans and questions; a label with the entries under
 * it is one piece ("Updated: `a`; `b`"). At most a dozen.
 */
export function statementsOf(lines: readonly string[]): string[] {
  const pieces: string[] = []
  let label = ''
  let items = 0
  for (const line of lines) {
    if (pieces.length >= MOST) break
    const bare = withoutBullet(line).replace(/^\*\*([^*\n]{1,200})\*\*/, '$1')
    if (bare === '') continue
    if (/^#{1,6}\s/.test(bare) || /^[-*_=|\s]{3,}$/.test(bare)) {
      label = ''
      continue
    }
    const isItem = withoutBullet(line) !== line.trim()
    if (COLON.test(bare) && bare.length <= LABEL_MOST) {
      const own = withoutNod(bare) || bare
      label = ANNOUNCES.test(own) ? '' : isItem && label !== '' && items === 0 ? `${label} ${bare}` : own
      items = 0
      continue
    }
    if (!isItem && items > 0) label = ''
    for (const sentence of sentencesOf(bare)) {
      if (!isStatement(sentence, label !== '')) continue
      if (label === '') pieces.push(short(sentence))
      else if (items === 0) pieces.push(short(`${label} ${sentence}`))
      else if (items < MOST_ITEMS) pieces.push(short(`${pieces.pop() ?? ''}; ${sentence}`))
      if (label !== '') items += 1
      if (label !== '' && !isItem) label = ''
    }
  }
  return pieces
}

function isStatement(sentence: string, isLabelled: boolean): boolean {
  const own = withoutNod(sentence)
  const folded = fold(own)
  if (own === '' || PLACEHOLDER.test(sentence) || QUESTION.test(sentence) || INTENT.test(folded)) return false
  if (isLabelled || CUES.done.test(folded)) return true
  if (ANNOUNCES.test(folded)) return false
  if (utf8Length(own) < SHORTEST_BYTES && !FACT.test(own)) return false
  return FACT.test(own) || contentWords(own).size >= LEAST_WORDS
}

const withoutNod = (sentence: string): string => sentence.replace(NOD, '')

const short = (text: string): string => (text.length <= LONGEST ? text : text.slice(0, text.lastIndexOf(' ', LONGEST)))
