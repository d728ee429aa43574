import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CUE_KINDS, cueKindsIn, cueTest } from '../../../../../src/domain/ledger/cues/any-cue.ts'
import { LANGUAGES } from '../../../../../src/domain/ledger/cues/languages.ts'
import { CueIndex } from '../../../../../src/domain/ledger/cues/lookup/cue-index.ts'
import { CUES, fold, isChoice, LABELS } from '../../../../../src/domain/ledger/cues/patterns.ts'
import { MOST_UNITS } from '../../../../../src/domain/text/signs/units.ts'
import { propertyRuns } from '../../../../support/property-runs.ts'

const KINDS = ['prohibition', 'obligation', 'convention', 'lifting', 'reason', 'finding', 'dismissal', 'undo'] as const

/** Words as the patterns spell them, and what stands between words. */
const literals = LANGUAGES.flatMap((cues) =>
  [...KINDS.map((kind) => cues[kind].source), cues.choice.source].flatMap(
    (source) =>
      source.replaceAll(/\\[a-zA-Z](?:\{[^}]*\})?|\{[\d,]+\}/g, ' ').match(/[\p{L}\p{M}'’]+(?: [\p{L}\p{M}'’]+)*/gu) ??
      [],
  ),
)
const phrases = LANGUAGES.flatMap((cues) => [
  ...cues.decision,
  ...cues.done,
  ...cues.labels.decision,
  ...cues.labels.constraint,
  ...cues.lead,
  ...cues.trivial,
])
const piece = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...literals, ...phrases) },
  { weight: 3, arbitrary: fc.constant(' ') },
  fc.constantFrom(' the file ', ', ', '. ', '\n', '**', ': ', '; ', 'x', '语', 'é', ' do ', ' not ', 'İ'),
  fc.string({ maxLength: 3 }),
)
const sentence = fc
  .array(piece, { minLength: 1, maxLength: 7 })
  .map((pieces) => pieces.join(''))
  .chain((text) =>
    fc.constantFrom(
      text,
      text.toUpperCase(),
      text.replace(/^./u, (first) => first.toUpperCase()),
    ),
  )

describe('CueIndex', () => {
  it('tells every cue that a sentence holds', () => {
    fc.assert(
      fc.property(sentence, (text) => {
        const line = text.replaceAll('\n', ' ')
        for (const kind of KINDS)
          if (LANGUAGES.some((cues) => cues[kind].test(line)))
            expect([kind, cueTest(kind).may(line)]).toEqual([kind, true])
        if (LABELS.constraint.test(fold(line))) expect(cueKindsIn(line, CUE_KINDS.rules)).toBe(CUE_KINDS.rules)
        const folded = fold(line)
        if (CUES.decision.test(folded) || LABELS.decision.test(folded))
          expect(cueKindsIn(line, CUE_KINDS.decision)).toBe(CUE_KINDS.decision)
        if (CUES.done.test(folded)) expect(cueKindsIn(line, CUE_KINDS.done)).toBe(CUE_KINDS.done)
        if (isChoice(folded)) expect(cueKindsIn(line, CUE_KINDS.choice)).toBe(CUE_KINDS.choice)
      }),
      { seed: 41, numRuns: propertyRuns(4000) },
    )
  })

  const index = new CueIndex([
    { kind: 1, source: 'never', isWord: true },
    { kind: 2, source: '别', isWord: false },
    { kind: 4, source: '\\p{L}{1,30}bilir', isWord: true },
    { kind: 8, source: 'do not', isWord: true },
    { kind: 16, source: 'in (?:no|any) case', isWord: true },
  ])

  it.each([
    ['Never mind', 1],
    ['whenever', 0],
    ['(NEVER)', 1],
    ['请别动', 2],
    ['yapabilir', 4],
    ['do\nnot', 8],
    ['donot', 0],
    ['in no case', 16],
    ['in no\ncase', 16],
    ['in no place', 0],
    ['', 0],
    ['nev', 0],
  ])('%j holds %j', (text, kinds) => {
    expect(index.kindsIn(text, 31)).toBe(kinds)
  })

  it('tells what stands at any place of a long text, and only what is asked for', () => {
    for (let back = -12; back <= 12; back += 1)
      expect(index.kindsIn(`${'x'.repeat(MOST_UNITS - 10 + back)} never 别`, 7)).toBe(3)
    expect(index.kindsIn('never 别', 2)).toBe(2)
  })
})
