import { describe, expect, it } from 'vitest'
import { looksLikeCode, proseLines } from '../../../src/domain/text/prose.ts'
import { sentencesOf, withoutBullet } from '../../../src/domain/text/sentences.ts'

describe('sentencesOf', () => {
  it('ends nothing at paths, decimals, abbreviations and inside code', () => {
    expect(sentencesOf('See worker.ts at 15.4 MB, e.g. `a. b. c` here. Then go! 好。走吧。')).toEqual([
      'See worker.ts at 15.4 MB, e.g. `a. b. c` here.',
      'Then go!',
      '好。',
      '走吧。',
    ])
  })
})

describe('withoutBullet', () => {
  it.each(['- a b', '* a b', '1. a b', '2) a b', '- [x] a b', '> a b', '  • a b'])('of %j is the text', (line) => {
    expect(withoutBullet(line)).toBe('a b')
  })
})

describe('looksLikeCode', () => {
  it.each([
    'import { a } from "b"',
    'const x = 1;',
    '    at run (a.ts:1:2)',
    'File "a.py", line 3',
    '2026-01-01T10:00:00 started',
    '[12:00:01] INFO x',
    '+const a',
    '@@ -1,2 +1,2 @@',
    '| a | b |',
    'foo(bar(baz)[1], {x: 2})',
    '$ npm test',
    '<div class="a">',
  ])('holds for %j', (line) => {
    expect(looksLikeCode(line)).toBe(true)
  })

  it.each([
    'Do not touch `src/a.ts` or {name}.',
    '- keep the API (all of it) as it is',
    'import the list and type it in',
    'No toques la carpeta legado; debes mantener los textos.',
    'Use https://example.com/a?b=c&d=e for it',
    'If the price is empty, leave it',
  ])('does not hold for %j', (line) => {
    expect(looksLikeCode(line)).toBe(false)
  })
})

describe('proseLines', () => {
  it('leaves out fenced blocks, also one that never ends, and the middle of a megabyte', () => {
    expect(proseLines('one\n```ts\ntwo\n```\nthree\n~~~\nfour')).toEqual(['one', 'three'])
    expect(proseLines(`first\n${'word '.repeat(10).concat('\n').repeat(40_000)}last`).length).toBeLessThan(2_000)
  })
})
