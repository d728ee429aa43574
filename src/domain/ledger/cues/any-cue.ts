import type { CueSet } from './cue-set.ts'
import { CLAUSE, END, START } from './edges.ts'
import { LANGUAGES } from './languages.ts'

type PatternKind = 'prohibition' | 'obligation' | 'convention' | 'finding' | 'dismissal' | 'undo' | 'lifting' | 'reason'

/** A cue without its edges and what it looks back for: finds all that the cue finds, and more, several times as fast. */
const bare = ({ source }: RegExp): string =>
  source
    .replaceAll(START, '')
    .replaceAll(END, '')
    .replaceAll(CLAUSE, '')
    .replaceAll('(?:请|請|也|就|^)', '')
    .replaceAll(/\(\?<!\\b\(\?:[^()]*\)\\s\)/g, '')

const NOT_ASCII = /[^\x00-\x7f]/
/** Letters beyond Latin ones: without any, only the languages written with those are asked. */
const OTHER_SCRIPT =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Cyrillic}\p{Script=Arabic}\p{Script=Devanagari}]/u

interface Language {
  readonly cue: RegExp
  readonly bare: RegExp
  readonly isLatin: boolean
}

const languagesOf = (kind: PatternKind): readonly Language[] =>
  LANGUAGES.map((cues: CueSet) => ({
    cue: cues[kind],
    // bounded: every match looks at 400 characters at most: no cue repeats without end (test/domain/ledger/cues/cues-bounded.test.ts)
    bare: new RegExp(bare(cues[kind]), 'iu'),
    isLatin: !OTHER_SCRIPT.test(cues[kind].source),
  }))

/** Tells whether a text holds a cue of a kind, in any language. Most hold none, which one pass over them tells. */
export interface CueTest {
  /** False where no sentence of the text can hold a cue; true says nothing. */
  readonly may: (text: string) => boolean
  readonly has: (sentence: string) => boolean
}

export function cueTest(kind: PatternKind): CueTest {
  const languages = languagesOf(kind)
  const latin = languages.filter(({ isLatin }) => isLatin)
  const any = (among: readonly Language[]): RegExp =>
    // bounded: every match looks at 400 characters at most: no cue repeats without end (test/domain/ledger/cues/cues-bounded.test.ts)
    new RegExp(among.map(({ bare: each }) => each.source).join('|'), 'u')
  const anyLatin = any(latin)
  const anyOther = any(languages.filter(({ isLatin }) => !isLatin))
  const isOther = (text: string): boolean => NOT_ASCII.test(text) && OTHER_SCRIPT.test(text)
  // Cues are written in lower case; a pattern that need not mind case is three times as fast.
  const may = (text: string): boolean => {
    const lower = text.toLowerCase()
    return anyLatin.test(lower) || (isOther(text) && anyOther.test(lower))
  }
  return {
    may,
    has: (sentence) =>
      may(sentence) &&
      (isOther(sentence) ? languages : latin).some((each) => each.bare.test(sentence) && each.cue.test(sentence)),
  }
}
