import fc from 'fast-check'
import { expect, it } from 'vitest'
import { isJson } from '../../src/domain/is-json.ts'

function parses(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

it.each([
  '{}',
  '[]',
  ' {"a" : [1, 2.5e-3, -0, true, null, "x\\u00e9\\n"] }\r',
  '""',
  '0',
  '-',
  '01',
  '1.',
  '.5',
  '1e',
  '1e+',
  '+1',
  '{"a"}',
  '{"a":}',
  '{"a":1,}',
  '{,}',
  '[1,]',
  '[,1]',
  '[1 2]',
  '{"a":1 "b":2}',
  '{1:2}',
  '[',
  '{',
  ']',
  '}',
  '[}',
  '{]',
  '"',
  '"\\',
  '"\\u12',
  '"\\u12g4"',
  '"\\x41"',
  '"a\tb"',
  'tru',
  'true',
  'truex',
  'nul',
  'undefined',
  'NaN',
  "{'a':1}",
  '',
  ' ',
  '{"a":1}{"b":2}',
  '{"a":1}x',
  '[[[[]]]]',
  '[[[[]]]',
  '{"a":{"b":{}}}',
  '\u00a01',
  '\ufeff1',
  '"\u2028"',
])('isJson says of %j what JSON.parse says', (text) => {
  expect(isJson(text)).toBe(parses(text))
})

it('isJson agrees with JSON.parse on values, on what is cut off them and on one sign more or less', () => {
  const value = fc.json({ maxDepth: 4 })
  const damaged = fc.tuple(value, fc.nat(), fc.constantFrom('', ',', '}', ']', '"', '\\', '0', ':', '\n', 'e'))
  fc.assert(
    fc.property(damaged, ([text, place, sign]) => {
      const at = place % (text.length + 1)
      for (const each of [
        text,
        text.slice(0, at),
        text.slice(0, at) + sign + text.slice(at),
        text.slice(0, at) + text.slice(at + 1),
      ])
        expect(isJson(each), each).toBe(parses(each))
    }),
    { numRuns: 2_000 },
  )
})
