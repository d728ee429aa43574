import { describe, expect, it } from 'vitest'
import { beginningsOf, behindFirst, branchesOf } from '../../../../../src/domain/ledger/cues/lookup/beginnings.ts'

describe('beginningsOf', () => {
  it.each([
    ['never', ['nev']],
    ["(?:do not|don['’]?t)(?! mind)", ['do ', 'don']],
    ['no (?:lo |la )?toques?', ['no ']],
    ['[千万]别', ['千别', '万别']],
    ['[a-c]x', ['ax', 'bx', 'cx']],
    ["n['’]\\p{L}{2,20}", ["n'", 'n’']],
    ['(?:un)?safe', ['uns', 'saf']],
    ['a{2,3}b', ['a']],
    ['\\.x', ['.x']],
    ['(?<!\\bto )NO\\b', ['no']],
  ])('%s begins as one of %j', (source, beginnings) => {
    expect(beginningsOf(source, 3)?.toSorted()).toEqual(beginnings.toSorted())
  })

  it.each(['\\p{L}{1,30}mey', '(?:x)?', '.x', '[^a]b', '[\\d]x'])('nothing is known of %s', (source) => {
    expect(beginningsOf(source, 3)).toBeNull()
  })
})

it('beginningsOf tells as many characters as are asked for', () => {
  expect([1, 3, 6].map((longest) => beginningsOf('never', longest))).toEqual([['n'], ['nev'], ['never']])
  expect(beginningsOf('so (?:much|many)x', 6)).toEqual(['so muc', 'so man'])
})

it('behindFirst takes off one character, class, escape or group with its quantifier', () => {
  expect(['\\p{L}{1,30}mey', '(?:\\p{L}{2,20})?[ae]b', '[^。]{1,40}x', 'a'].map(behindFirst)).toEqual([
    'mey',
    '[ae]b',
    'x',
    '',
  ])
})

it('branchesOf parts a pattern at its outermost bars, whatever stands in groups and classes', () => {
  expect(branchesOf('(?:a(?:b|c)|[|]d|\\|e)')).toEqual(['a(?:b|c)', '[|]d', '\\|e'])
})
