import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cleanCharacters } from '../../../src/domain/text/clean.ts'
import { SECRET_NAMES } from '../../../src/domain/text/redact/secret-names.ts'
import { VENDOR_STARTS } from '../../../src/domain/text/redact/vendor-keys.ts'
import { SECRET_FAMILIES } from '../../../src/domain/text/redact.ts'
import { MOST_UNITS } from '../../../src/domain/text/signs/units.ts'
import { SIGNS, signsIn, signsInEach } from '../../../src/domain/text/signs.ts'
import { FRAME_NAMES } from '../../../src/domain/text/structure/frames.ts'
import { neutralizeData } from '../../../src/domain/text/structure/neutralize.ts'
import { propertyRuns } from '../../support/property-runs.ts'

const STEPS = [
  { sign: SIGNS.dirty, change: cleanCharacters },
  { sign: SIGNS.data, change: neutralizeData },
  ...SECRET_FAMILIES.map(({ sign, mask }) => ({ sign, change: mask })),
]

/** Every step whose sign is missing must give the text back. */
function expectCertain(text: string, signs = signsIn(text)): void {
  for (const { sign, change } of STEPS) if ((signs & sign) === 0) expect(change(text)).toBe(text)
}

const key = 'aB3dE6gH9jK2mN5pQ8sT1vW4yZ7aB3dE6gH9jK2mN5p'
const piece = fc.oneof(
  fc.string(),
  fc.string({ unit: 'binary', maxLength: 4 }),
  fc.constantFrom(...SECRET_NAMES, ...SECRET_NAMES.map((name) => name.toUpperCase()), ...VENDOR_STARTS),
  fc.constantFrom(...FRAME_NAMES.flatMap((name) => [`<${name}>`, `</${name.toUpperCase()} `, `<${name}`])),
  fc.constantFrom(...['=', ': ', '" : "', '\\":', '`] :=', ' ', '\n', '\t', '_', '-', 'x', '语', '🙂']),
  fc.constantFrom(...['Bearer ', 'bearer\t', 'https://me:pw@', '://', '@host', '--api-', '--token ', '-u a:', '-U ']),
  fc.constantFrom(...['-----BEGIN RSA PRIVATE KEY-----', '[User]:', '[AI]：', '[Tool calls:\n', '[/INST]', 'MEDIA: x']),
  fc.constantFrom(
    ...['<|im_start|>', '<｜User｜>', '<<SYS>>', '◁think▷', '\u202e', '\u0085', '\r', '\ud83d', '\udc00'],
  ),
  fc.constant(key),
)

describe('signsIn', () => {
  it('misses nothing that a step would change', () => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => expectCertain(pieces.join(''))),
      { seed: 31, numRuns: propertyRuns(1500) },
    )
  })

  it('misses nothing where one piece of a long text ends and the next begins', () => {
    const around = fc.tuple(fc.array(piece, { minLength: 1, maxLength: 4 }), fc.integer({ min: 0, max: 160 }))
    fc.assert(
      fc.property(around, ([pieces, back]) =>
        expectCertain(`${'x '.repeat((MOST_UNITS - back) / 2)}${pieces.join('')} end`),
      ),
      { seed: 32, numRuns: propertyRuns(80) },
    )
  })

  it.each([
    'the key of the map, and its tokens',
    'const token = await next()\nfor (const key of keys) {}'.replaceAll('token =', 'word ='),
    'a task-list, a disk-full, `Map<string, User>`, 🙂, größer, 日本語',
    'https://example.test/v1?page=2 -- and more',
    'Error: ENOENT: no such file',
  ])('says nothing of %j', (text) => {
    expect(signsIn(text)).toBe(0)
  })
})

describe('signsInEach', () => {
  it('misses nothing in any of its texts, wherever the text before it ends', () => {
    const text = fc.array(piece, { maxLength: 4 }).map((pieces) => pieces.join(''))
    fc.assert(
      fc.property(fc.array(text, { maxLength: 6 }), (texts) => {
        const signs = signsInEach(texts)
        expect(signs).toHaveLength(texts.length)
        texts.forEach((each, at) => {
          expectCertain(each, signs[at])
        })
      }),
      { seed: 33, numRuns: propertyRuns(600) },
    )
  })

  it.each([
    [
      ['plain words', '<summary>x', 'also plain'],
      [0, SIGNS.tag, 0],
    ],
    [
      ['', 'password: x', ''],
      [0, SIGNS.named, 0],
    ],
    [
      ['the end be', 'arer of news'],
      [0, 0],
    ],
    [
      ['語', '\ud83d', '\ude42'],
      [0, SIGNS.dirty | SIGNS.surrogate, SIGNS.dirty | SIGNS.surrogate],
    ],
    [[], []],
  ])('finds in %j the signs %j', (texts, signs) => {
    expect(signsInEach(texts)).toEqual(signs)
  })
})
