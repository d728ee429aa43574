import type { CueSet } from './cue-set.ts'
import { DE } from './de.ts'
import { EN } from './en.ts'
import { ES } from './es.ts'
import { FR } from './fr.ts'
import { JA } from './ja.ts'
import { KO } from './ko.ts'
import { PT } from './pt.ts'
import { RU } from './ru.ts'
import { ZH } from './zh.ts'

const LANGUAGES: readonly CueSet[] = [EN, ES, DE, FR, PT, ZH, JA, KO, RU]

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
function atStart(kind: StartKind): RegExp {
  const parts = LANGUAGES.map((cues) => {
    const cue = either(cues[kind])
    const lead = either(cues.lead)
    const subject = kind === 'done' && cues.subjects !== undefined ? `(?:(?:${either(cues.subjects)})\\s)?` : ''
    return cues.unspaced === true
      ? `(?:(?:${lead})[,，、]?){0,2}(?:${cue})`
      : `(?:(?:${lead})[,:]?\\s{1,2}){0,2}${subject}(?:${cue})${AFTER}`
  })
  return new RegExp(`^(?:${parts.join('|')})`, 'u')
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

const TRIVIAL = new Set(LANGUAGES.flatMap((cues) => cues.trivial))
const NOT_LETTERS = /[^\p{L}\p{N}\s']+/gu

/** Lower case, straight apostrophes, no Markdown emphasis at the front: what cues are compared with. */
export function fold(sentence: string): string {
  return sentence
    .replace(/[’‘`´]/g, "'")
    .replace(/^[\s*_#(-]+/, '')
    .replace(/\*\*|__/g, '')
    .toLowerCase()
}

/** Whether a whole turn only nods ("ok", "sigue", an emoji): it is no request and no state (models.md §7). */
export function isTrivial(text: string): boolean {
  if (text.length > 60) return false
  const words = text.toLowerCase().replace(NOT_LETTERS, ' ').replace(/\s+/g, ' ').trim()
  return words === '' || TRIVIAL.has(words)
}
