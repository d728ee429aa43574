import { once } from '../../once.ts'
import type { CueSet } from './cue-set.ts'
import { CLAUSE, END, START } from './edges.ts'
import { LANGUAGES } from './languages.ts'
import { branchesOf } from './lookup/beginnings.ts'
import { CueIndex, type IndexedCue } from './lookup/cue-index.ts'

/** One bit for every kind of cue that its words reveal anywhere in a text. */
export const CUE_KINDS = {
  prohibition: 1,
  obligation: 2,
  convention: 4,
  lifting: 8,
  reason: 16,
  finding: 32,
  dismissal: 64,
  undo: 128,
  decision: 256,
  choice: 512,
  /** A label in front of rules. */
  rules: 1024,
  /** A claim of completion. */
  done: 2048,
} as const
type PatternKind = Exclude<keyof typeof CUE_KINDS, 'decision' | 'choice' | 'rules' | 'done'>
const PATTERN_KINDS: readonly PatternKind[] = [
  ...(['prohibition', 'obligation', 'convention', 'lifting', 'reason'] as const),
  ...(['finding', 'dismissal', 'undo'] as const),
]

/** A cue without its edges and what it looks back for: found wherever the cue is, and at a few more places. */
const bare = ({ source }: RegExp): string =>
  source
    .replaceAll(START, '')
    .replaceAll(END, '')
    .replaceAll(CLAUSE, '')
    .replaceAll('(?:请|請|也|就|^)', '')
    // The end of a sentence is not that of its text.
    .replaceAll('|$)', '|)')
    .replaceAll(/\(\?<!\\b\(\?:[^()]*\)\\s\)/g, '')

/** Where a sentence that is nothing but the cue ends. */
const LINE_END = '(?=[^\\p{L}\\p{N}\\n]{0,12}(?:\\n|$))'

const escaped = (phrase: string): string => phrase.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&')

function indexedCues(cues: CueSet): IndexedCue[] {
  const patterns = PATTERN_KINDS.flatMap((kind) =>
    branchesOf(bare(cues[kind])).map((source) => ({
      kind: CUE_KINDS[kind],
      source,
      isWord: cues[kind].source.startsWith(START),
    })),
  )
  const spelled = (kind: number, phrases: readonly string[]): IndexedCue[] =>
    phrases.map((phrase) => ({ kind, source: escaped(phrase), isWord: cues.unspaced !== true }))
  const phrases = [
    ...spelled(CUE_KINDS.decision, [...cues.decision, ...cues.labels.decision]),
    ...spelled(CUE_KINDS.rules, cues.labels.constraint),
    ...spelled(CUE_KINDS.done, cues.done),
  ]
  const choices = branchesOf(bare(cues.choice).replace(/^\^/, '')).map((source) => ({
    kind: CUE_KINDS.choice,
    source: source.replace(/\$$/, LINE_END),
    isWord: cues.unspaced !== true,
  }))
  return [...patterns, ...phrases, ...choices]
}

/** Made when a conversation is first read: building it takes as long as loading two hundred modules. */
const index = once(() => new CueIndex(LANGUAGES.flatMap(indexedCues)))

/** Tells whether a text holds a cue of a kind, in any language. Most hold none, which one look at them tells. */
export interface CueTest {
  /** False where no sentence of the text can hold a cue; true says nothing. */
  readonly may: (text: string) => boolean
  readonly has: (sentence: string) => boolean
}

export function cueTest(kind: PatternKind): CueTest {
  const patterns = LANGUAGES.map((cues) => cues[kind])
  const may = (text: string): boolean => index().kindsIn(text, CUE_KINDS[kind]) !== 0
  return { may, has: (sentence) => may(sentence) && patterns.some((cue) => cue.test(sentence)) }
}

/**
 * The kinds of which a sentence of the text may hold a cue; those without a bit are certain not to be there. Marks of
 * Markdown may stand inside.
 */
export function cueKindsIn(text: string, kinds: number): number {
  const found = index().kindsIn(text, kinds)
  return MARKS.test(text) ? found | index().kindsIn(withoutMarks(text), kinds & ~found) : found
}

const MARKS = /[’‘`´]|\*\*|__/
const withoutMarks = (text: string): string => text.replace(/[’‘`´]/g, "'").replace(/\*\*|__/g, '')
