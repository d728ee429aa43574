// JavaScript's \b knows ASCII letters only, so word edges are spelled out for every script.
// Dots, slashes and hyphens bind too: `pi.deve` and `use-only.ts` are names.
export const START = '(?<![\\p{L}\\p{M}\\p{N}_./-])'
export const END = '(?![\\p{L}\\p{M}\\p{N}_/-])'

/** An order stands at the start of a clause; "the tests don't pass" is a report. */
export const CLAUSE =
  '(?:^[^\\p{L}\\p{N}]{0,12}|[,;:.(–—]\\s{0,4}|\\b(?:and|but|please|so|also|just|then|or|to)\\s{1,4})'

/** Whole words, any of these patterns. */
export const words = (...alternatives: readonly string[]): RegExp =>
  // bounded: every match looks at 400 characters at most: no cue repeats without end (test/domain/ledger/cues/cues-bounded.test.ts)
  new RegExp(`${START}(?:${alternatives.join('|')})${END}`, 'iu')

/** Signs of a script without spaces, any of these patterns. */
export const signs = (...alternatives: readonly string[]): RegExp =>
  // bounded: every match looks at 400 characters at most: no cue repeats without end (test/domain/ledger/cues/cues-bounded.test.ts)
  new RegExp(alternatives.join('|'), 'u')

/** One of these patterns at the very start, as whole words. */
export const opening = (...alternatives: readonly string[]): RegExp =>
  new RegExp(`^(?:${alternatives.join('|')})${END}`, 'iu')

/** One of these patterns at the very start, in a script without spaces. */
export const openingSigns = (...alternatives: readonly string[]): RegExp =>
  new RegExp(`^(?:${alternatives.join('|')})`, 'u')
