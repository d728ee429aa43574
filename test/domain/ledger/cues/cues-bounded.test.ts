import { expect, it } from 'vitest'
import { LANGUAGES } from '../../../../src/domain/ledger/cues/languages.ts'

/** A `*`, `+` or `{n,}` that is no sign of its own. */
const ENDLESS = /(?<!\\)(?:[*+]|\{\d+,\})/
const sources = LANGUAGES.flatMap((cues, at) =>
  Object.entries(cues)
    .filter((entry): entry is [string, RegExp] => entry[1] instanceof RegExp)
    .map(([kind, { source }]) => ({ cue: `${at} ${kind}`, source })),
)

it('there are cues of every language', () => {
  expect(sources.length).toBeGreaterThan(4 * LANGUAGES.length)
})

it.each(sources)(
  'a match of cue $cue looks at a bounded number of characters (docs/spec/hostile.md §1)',
  ({ source }) => {
    expect(source).not.toMatch(ENDLESS)
    const widest = [...source.matchAll(/\{(?:\d+,)?(\d+)\}/g)].map(([, most]) => Number(most))
    expect(Math.max(0, ...widest)).toBeLessThanOrEqual(120)
  },
)
