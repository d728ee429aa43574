import { CUES, LABELS, LABELS_ALONE } from '../cues/patterns.ts'
import type { OpenStep } from '../ledger-value.ts'
import { listedUnder } from '../listed-under.ts'
import type { Said } from '../said.ts'
import type { Saying, Timeline } from '../timeline.ts'
import { objectsOf } from './done-test.ts'

type Done = (step: string, after: number) => boolean

const OFFER =
  /\b(?:let me know|if you(?:'d| would)? (?:like|want|prefer|wish|need)|would you like|do you want|shall i|should i|feel free|you (?:can|may|could|might)|i (?:can|could|would|may|might)|we could|recommend|suggest|propos|optional(?:ly)?|worth (?:adding|considering))\b|kann ich|könnte ich|puedo|podría|je peux|posso|可以帮|如果你|よろしければ|원하시면|могу|isterseniz|يمكنني|चाहें तो/i
const REMAINS =
  /^(?:remaining|still|what(?:'s| is| remains)|left|todo|to do|not (?:yet )?done|open items|offen|noch|pendiente|reste|falta|restante|待办|未完成|剩|残り|남은|осталось|kalan)/i
const MOST = 6
const MOST_OFFERS = 4
/** Each is compared with all that was done after it; the newest plans are the ones that hold. */
const MOST_PLANS = 60
const SHORTEST = 12
const LONGEST = 500
const MARKS_END = /[?？:：]\s*$/
const OPEN_BOX = /^[ \t]{0,40}[-*][ \t]{1,8}\[ \][ \t]{1,8}(\S.{2,399})$/gm

/** Steps that the assistant said it would take in the last turn and that no later call carried out. */
export function announcedSteps(timeline: Timeline, isDone: Done): OpenStep[] {
  const lastAct = timeline.acts.at(-1)?.at ?? -1
  return timeline.sayings
    .filter(({ number }) => number === timeline.lastNumber)
    .flatMap((saying) => saying.said.filter(isPlan).map(({ sentence }) => ({ sentence, saying })))
    .slice(-MOST_PLANS)
    .filter(({ sentence, saying: { at } }) => at > lastAct || (objectsOf(sentence).length > 0 && !isDone(sentence, at)))
    .slice(-MOST)
    .map(({ sentence, saying: { at, number, isClosing } }) => ({
      text: sentence,
      turn: number,
      kind: at > lastAct && !isClosing ? 'running' : 'announced',
    }))
}

const isPlan = ({ sentence, folded }: Said): boolean =>
  sentence.length >= SHORTEST &&
  sentence.length <= LONGEST &&
  !MARKS_END.test(sentence) &&
  (CUES.intent.test(folded) || CUES.next.test(folded)) &&
  !OFFER.test(folded)

/** What the closing message left open or offered; what it offered is a proposal and says so. */
export function closingSteps(timeline: Timeline, isDone: Done): OpenStep[] {
  const saying = timeline.sayings.at(-1)
  if (saying === undefined || !saying.isClosing || saying.number !== timeline.lastNumber) return []
  const left = [...leftOpen(saying), ...Array.from(saying.text.matchAll(OPEN_BOX), ([, text = '']) => text)]
  const offered = [...listedNext(saying), ...saying.said.filter(isOffer).map(({ sentence }) => sentence)]
  const steps = [
    ...left.slice(0, MOST).map((text): OpenStep => ({ text, turn: saying.number, kind: 'todo' })),
    ...offered.slice(0, MOST_OFFERS).map((text): OpenStep => ({ text, turn: saying.number, kind: 'proposal' })),
  ]
  return steps.filter(({ text }) => !isDone(text, saying.at))
}

const isOffer = ({ sentence, folded }: Said): boolean =>
  sentence.length >= 2 * SHORTEST &&
  sentence.length <= LONGEST &&
  !MARKS_END.test(sentence) &&
  OFFER.test(folded) &&
  (CUES.next.test(folded) ||
    /^(?:i (?:can|could|would)|if you|let me know|optional|we could|you (?:may|might|could))/.test(folded))

const leftOpen = ({ lines }: Saying): string[] =>
  listedUnder(lines, (line) => LABELS_ALONE.next.test(line) && REMAINS.test(line), MOST)

const listedNext = ({ lines, said }: Saying): string[] => [
  ...listedUnder(lines, (line) => LABELS_ALONE.next.test(line) && !REMAINS.test(line), MOST_OFFERS),
  ...said
    .filter(
      ({ folded, sentence }) =>
        LABELS.next.test(folded) && !LABELS_ALONE.next.test(folded) && !MARKS_END.test(sentence),
    )
    .map(({ sentence }) => sentence),
]
