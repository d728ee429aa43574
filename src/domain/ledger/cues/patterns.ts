import type { CueSet } from './cue-set.ts'
import { LANGUAGES } from './languages.ts'

const escaped = (phrase: string): string => phrase.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
const either = (phrases: readonly string[]): string =>
  [...phrases]
    .sort((a, b) => b.length - a.length)
    .map(escaped)
    .join('|')

/** A word boundary that also holds for letters outside ASCII. */
const AFTER = '(?![\\p{L}\\p{N}_/-])'

type StartKind = 'done' | 'intent' | 'decision' | 'next'

/** Cue of a kind at the start of a sentence, after at most two lead words of its language. */
function atStart(kind: StartKind): StartTest {
  const parts = LANGUAGES.map((cues) => {
    const cue = either(cues[kind])
    const lead = either(cues.lead)
    const subject = kind === 'done' && cues.subjects !== undefined ? `(?:(?:${either(cues.subjects)})\\s)?` : ''
    return cues.unspaced === true
      ? `(?:(?:${lead})[,，、]?){0,2}(?:${cue})`
      : `(?:(?:${lead})[,:]?\\s{1,2}){0,2}${subject}(?:${cue})${AFTER}`
  })
  // bounded: the first 200 characters of a sentence: two lead words, a subject and one phrase, no repetition without end
  const pattern = new RegExp(`^(?:${parts.join('|')})`, 'u')
  const begins = beginningOf(LANGUAGES.flatMap((cues) => [...cues[kind], ...cues.lead, ...(cues.subjects ?? [])]))
  return { test: (folded) => begins(folded) && pattern.test(folded) }
}

interface StartTest {
  readonly test: (folded: string) => boolean
}

/** Enough to tell most sentences from every one of some hundred phrases, in a few look-ups. */
const BEGINNING = 4

function beginningOf(phrases: readonly string[]): (folded: string) => boolean {
  const known = new Set(phrases.map((phrase) => phrase.slice(0, BEGINNING)))
  const lengths = [...new Set([...known].map(({ length }) => length))]
  return (folded) => lengths.some((length) => known.has(folded.slice(0, length)))
}

type LabelKind = keyof CueSet['labels']

function label(kind: LabelKind): RegExp {
  return new RegExp(
    `^(?:${either(LANGUAGES.flatMap((cues) => cues.labels[kind]))})(?: \\([^()]{0,60}\\))?\\s?[:：]`,
    'u',
  )
}

function labelAlone(kind: LabelKind): RegExp {
  return new RegExp(
    `^(?:${either(LANGUAGES.flatMap((cues) => cues.labels[kind]))})(?: \\([^()]{0,60}\\))?\\s?[:：]?$`,
    'u',
  )
}

/** Tests a folded sentence (`fold`). Built once from the cue data of every language. */
export const CUES = {
  done: atStart('done'),
  intent: atStart('intent'),
  decision: atStart('decision'),
  next: atStart('next'),
} as const

/** `Decision: …` and the like, at the start of a folded line. */
export const LABELS = {
  decision: label('decision'),
  next: label('next'),
  blocked: label('blocked'),
  constraint: label('constraint'),
  done: label('done'),
} as const

/** A folded line that is a label and nothing else: it takes the list that follows it. */
export const LABELS_ALONE = {
  decision: labelAlone('decision'),
  next: labelAlone('next'),
  blocked: labelAlone('blocked'),
  constraint: labelAlone('constraint'),
  done: labelAlone('done'),
} as const

/** Lower case, straight apostrophes, no Markdown emphasis at the front: what cues are compared with. */
export function fold(sentence: string): string {
  // Most sentences hold none of the signs that three passes would look for.
  if (!/[’‘`´*_#(\s-]/.test(sentence[0] ?? '') && !/[’‘`´]|\*\*|__/.test(sentence)) return sentence.toLowerCase()
  return sentence
    .replace(/[’‘`´]/g, "'")
    .replace(/^[\s*_#(-]+/, '')
    .replace(/\*\*|__/g, '')
    .toLowerCase()
}

/** Whether a folded sentence of the user begins as a choice, a veto or a correction. */
export const isChoice = (folded: string): boolean => LANGUAGES.some(({ choice }) => choice.test(folded))
