import type { CueSet } from './cue-set.ts'
import { CLAUSE, END, START } from './edges.ts'
import { LANGUAGES } from './languages.ts'

type PatternKind = 'prohibition' | 'obligation' | 'lifting' | 'reason'

/** A cue without its edges and what it looks back for: finds all that the cue finds, and more, several times as fast. */
const bare = ({ source }: RegExp): string =>
  source
    .replaceAll(START, '')
    .replaceAll(END, '')
    .replaceAll(CLAUSE, '')
    .replaceAll('(?:请|請|也|就|^)', '')
    .replaceAll(/\(\?<!\\b\(\?:[^()]*\)\\s\)/g, '')

/** Tests a text for cues of some kinds in every language. Most texts hold none, which one pass over them tells. */
export function cueTest(...kinds: readonly PatternKind[]): {
  /** False where no sentence of the text can hold a cue; true says nothing. */
  readonly may: (text: string) => boolean
  readonly find: (sentence: string, kind: PatternKind) => number
} {
  const patterns = (kind: PatternKind): readonly RegExp[] => LANGUAGES.map((cues: CueSet) => cues[kind])
  const any = new RegExp(kinds.flatMap((kind) => patterns(kind).map(bare)).join('|'), 'iu')
  return {
    may: (text) => any.test(text),
    find: (sentence, kind) => {
      let first = -1
      for (const pattern of patterns(kind)) {
        const at = sentence.search(pattern)
        if (at >= 0 && (first < 0 || at < first)) first = at
      }
      return first
    },
  }
}
