import { CLAUSE, CONSTRAINT_CUES, END, START } from './constraint-cues.ts'

/** What a sentence of the user asks for: that something is not done, or that something is. */
export type Constraint = 'prohibition' | 'obligation'

const QUESTION = /[?？]\s*$/

/** A cue without its edges and what it looks back for: finds all that the cue finds, and more, several times as fast. */
const bare = ({ source }: RegExp): string =>
  source
    .replaceAll(START, '')
    .replaceAll(END, '')
    .replaceAll(CLAUSE, '')
    .replaceAll('(?:请|請|也|就|^)', '')
    .replaceAll(/\(\?<!\\b\(\?:[^()]*\)\\s\)/g, '')
const ANY_CUE = new RegExp(
  CONSTRAINT_CUES.flatMap((row) => [bare(row.prohibition), bare(row.obligation)]).join('|'),
  'iu',
)

/** False for a whole turn none of whose sentences can be a constraint; line breaks may fall inside a cue. */
export function mayHoldConstraint(turn: string): boolean {
  return ANY_CUE.test(turn.replaceAll('\n', ' '))
}

/**
 * What a sentence of the user lays down, or null. A prohibition wins over an obligation; an obligation in a question is a
 * question. Linear; meant for one sentence of at most a few hundred characters.
 */
export function constraintOf(sentence: string): Constraint | null {
  // Most sentences hold no cue of any language.
  if (!ANY_CUE.test(sentence)) return null
  if (CONSTRAINT_CUES.some((row) => row.prohibition.test(sentence))) return 'prohibition'
  if (QUESTION.test(sentence)) return null
  return CONSTRAINT_CUES.some((row) => row.obligation.test(sentence)) ? 'obligation' : null
}

/** Where the first cue stands in the sentence (UTF-16 units), -1 for none; for clipping around it. */
export function constraintAt(sentence: string): number {
  const found = CONSTRAINT_CUES.flatMap((row) => [sentence.search(row.prohibition), sentence.search(row.obligation)])
  const places = found.filter((at) => at >= 0)
  return places.length === 0 ? -1 : Math.min(...places)
}
