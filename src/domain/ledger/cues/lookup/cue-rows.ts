import { UNITS } from '../../../text/signs/units.ts'
import { beginningsOf, behindFirst } from './beginnings.ts'

/** A pattern in small letters, without what it looks back for. */
export interface IndexedCue {
  /** One bit of sixteen. */
  readonly kind: number
  readonly source: string
  /** It begins at the start of a word. */
  readonly isWord: boolean
}

/** Cues of one kind that begin alike. */
export interface CueRow {
  readonly kind: number
  readonly isWord: boolean
  /** Its kind, or that `AT_WORD` bits higher: where it counts. */
  readonly asked: number
  /** Units of small letters. */
  readonly beginning: Uint16Array
  /** Plain texts are compared: hundreds of small patterns would have to be compiled, and again whenever memory is short. */
  readonly literals: readonly string[]
  readonly pattern: RegExp | null
}

/** A place in a text, `at` within the piece that begins at `from` and whose units were filled in. One is moved along a text. */
export interface CuePlace {
  readonly text: string
  from: number
  at: number
}

/** Kinds that count at the start of a word stand so many bits higher. */
export const AT_WORD = 16
/** Beginnings are told by so many characters, those of patterns with many of them by fewer. */
const BEGINNING_LENGTHS = [6, 5, 4, 3] as const

/** Small letters of Latin, Greek, Cyrillic and Armenian script; others have none. A line end is a blank: it may fall inside a cue. */
export const SMALL = Uint16Array.from({ length: 0x10000 }, (_, unit) => unit)
for (let unit = 0; unit < 0x590; unit += 1) SMALL[unit] = String.fromCharCode(unit).toLowerCase().charCodeAt(0)
SMALL[0x0a] = 0x20

/** All cues by kind and beginning. */
export function cueRows(cues: readonly IndexedCue[]): CueRow[] {
  const sources = new Map<
    string,
    { readonly cue: IndexedCue; readonly beginning: string; readonly sources: string[] }
  >()
  for (const each of cues) {
    const { beginnings, ...cue } = withBeginnings(each)
    for (const beginning of beginnings) {
      const name = [cue.kind, cue.isWord, beginning].join(' ')
      const row = sources.get(name) ?? { cue, beginning, sources: [] }
      row.sources.push(cue.source)
      sources.set(name, row)
    }
  }
  const patterns = new Map<string, RegExp>()
  return Array.from(sources.values(), ({ cue: { kind, isWord }, beginning, sources: all }): CueRow => {
    const others = withLineEnds(all.filter((source) => literalOf(source) === null).join('|'))
    // bounded: every match looks at 400 characters at most: no cue repeats without end (test/domain/ledger/cues/cues-bounded.test.ts)
    const pattern = others === '' ? null : (patterns.get(others) ?? new RegExp(others, 'iuy'))
    if (pattern !== null) patterns.set(others, pattern)
    return {
      kind,
      isWord,
      asked: isWord ? kind << AT_WORD : kind,
      beginning: Uint16Array.from(beginning.split(''), (unit) => unit.charCodeAt(0)),
      literals: all.flatMap((source) => literalOf(source)?.toLowerCase() ?? []),
      pattern,
    }
  })
}

/** A pattern whose beginning says nothing is looked for by what stands after that, inside of words, too. */
function withBeginnings(cue: IndexedCue): IndexedCue & { readonly beginnings: readonly string[] } {
  for (const longest of BEGINNING_LENGTHS) {
    const beginnings = beginningsOf(cue.source, longest)
    if (beginnings !== null) return { ...cue, beginnings }
  }
  const source = behindFirst(cue.source)
  if (source === '') throw new Error('A cue has no beginning to be found by.')
  return withBeginnings({ ...cue, source, isWord: false })
}

/** The pattern with a line end wherever it has a blank. */
const withLineEnds = (source: string): string => source.replaceAll(' ', '\\s').replaceAll(/(\[\^[^\]]{0,60})\\n/g, '$1')

/** The text that a pattern without any choice is; null for all others. */
function literalOf(source: string): string | null {
  const plain = source.replace(/\\([^\p{L}\p{N}\s])/gu, '')
  return /[\\^$.*+?()[\]{}|]/.test(plain) ? null : source.replace(/\\(.)/gu, '$1')
}

/** Whether one of the cues stands at a place. */
export function isCueAt({ beginning, literals, pattern }: CueRow, { text, from, at }: CuePlace): boolean {
  // Nearly always something else stands there. Strings that are parts of others are slow to read, units are not.
  for (let i = 0; i < beginning.length; i += 1) if (SMALL[UNITS[at + i] ?? 0] !== beginning[i]) return false
  for (const literal of literals) if (isAt(text, from + at, literal)) return true
  if (pattern === null) return false
  pattern.lastIndex = from + at
  return pattern.test(text)
}

function isAt(text: string, at: number, literal: string): boolean {
  if (at + literal.length > text.length) return false
  for (let i = 0; i < literal.length; i += 1) if (SMALL[text.charCodeAt(at + i)] !== literal.charCodeAt(i)) return false
  return true
}
