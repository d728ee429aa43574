import { utf8Length } from '../../tokens/utf8.ts'
import { contentWords, isSaidBy } from '../content-words.ts'
import { CUE_KINDS, cueTest } from '../cues/any-cue.ts'
import { CUES, LABELS, LABELS_ALONE } from '../cues/patterns.ts'
import type { Decision } from '../ledger-value.ts'
import { listedUnder } from '../listed-under.ts'
import { remembering } from '../remembering.ts'
import type { Said } from '../said.ts'
import type { Saying, Timeline } from '../timeline.ts'

const MOST = 12
const LONGEST = 800
/** Bytes, not characters: a sentence of ten ideographs says as much as one of thirty letters. */
const SHORTEST_BYTES = 20
/** Looking, wondering and offering decide nothing. */
const UNDECIDED =
  /^(?:let me|let's (?:check|see|look|try|first|start)|i(?:'ll| will| need to|'m going to) (?:check|look|see|read|try|find|verify|first|need|start|search|examine|investigate)|first|if you|would you|should (?:i|we)|shall|maybe|perhaps|wait|hmm|actually,? (?:wait|let me)|now (?:let me|i need)|looking at)\b|\b(?:would you like|do you want|if you (?:want|like|prefer)|let me know|i could|we could|could be|might be|would be|you should (?:now )?(?:see|get|have))\b/
const REASON = cueTest('reason')

/** Choices of the assistant with their reason, the strongest and newest ones, oldest first (docs/spec/truth.md §4). */
export function assistantChoices(timeline: Timeline): Decision[] {
  const found: { decision: Decision; strength: number; at: number }[] = []
  for (const saying of timeline.sayings)
    for (const { text, strength } of choicesOf(saying.memory, () => choicesIn(saying)))
      found.push({
        decision: { text, turn: saying.number, question: '', by: 'assistant', isCarried: false },
        strength: strength + (saying.isClosing ? 1 : 0),
        at: saying.at,
      })
  const kept = distinct(found.sort((a, b) => b.strength - a.strength || b.at - a.at))
  return kept.sort((a, b) => a.at - b.at).map(({ decision }) => decision)
}

interface Choice {
  readonly text: string
  readonly strength: number
}

const choicesOf = remembering<readonly Choice[]>()

function choicesIn(saying: Saying): Choice[] {
  if ((saying.cues & (CUE_KINDS.decision | CUE_KINDS.reason)) === 0) return []
  return [
    ...saying.said
      .map((each) => ({ text: each.sentence, strength: strengthOf(each) }))
      .filter(({ strength }) => strength > 0),
    ...listedUnder(saying.lines, (line) => LABELS_ALONE.decision.test(line), 10).map((text) => ({ text, strength: 3 })),
  ]
}

/** 0: no decision; stated as one: 3; with its alternative or reason: 2. */
function strengthOf({ sentence, folded }: Said): number {
  if (
    utf8Length(sentence) < SHORTEST_BYTES ||
    sentence.length > LONGEST ||
    /[?？:：]$/.test(sentence) ||
    UNDECIDED.test(folded)
  )
    return 0
  if (CUES.decision.test(folded) || (LABELS.decision.test(folded) && !LABELS_ALONE.decision.test(folded))) return 3
  return REASON.has(folded) ? 2 : 0
}

/** The first dozen that say different things. */
function distinct<T extends { readonly decision: Decision }>(found: readonly T[]): T[] {
  const kept: { each: T; words: ReadonlySet<string> }[] = []
  for (const each of found) {
    const words = contentWords(each.decision.text)
    if (!kept.some((other) => isSaidBy(words, other.words))) kept.push({ each, words })
    if (kept.length === MOST) break
  }
  return kept.map(({ each }) => each)
}
