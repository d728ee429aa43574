import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { structureScanner } from '../../src/requests/structure.ts'

function scan(text: string, { mediaType = 'json' as 'json' | 'ndjson', piece = Number.POSITIVE_INFINITY } = {}) {
  const scanner = structureScanner(mediaType)
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length; at += piece) scanner.read(bytes.subarray(at, at + piece))
  return { values: scanner.values, depth: scanner.depth }
}

function countOf(value: unknown): { values: number; depth: number } {
  if (typeof value !== 'object' || value === null) return { values: 1, depth: 0 }
  const inner = Object.values(value).map(countOf)
  return {
    values: inner.reduce((sum, { values }) => sum + values, 1),
    depth: 1 + Math.max(0, ...inner.map(({ depth }) => depth)),
  }
}

describe('structureScanner', () => {
  it.each([
    ['', 0, 0],
    ['{}', 1, 1],
    ['[1,2,3]', 4, 1],
    ['{"a":1,"b":{"c":"d"}}', 4, 2],
    ['["{},[1,2]","a\\"[","\\\\"]', 4, 1],
    ['[true , false,null\n,-1.5e3]', 5, 1],
    ['{"a:b":"c:d"}', 2, 1],
  ])('counts what is parsed of %s', (text, values, depth) => {
    expect(scan(text)).toEqual({ values, depth })
  })

  it('counts the values of any JSON, however it is cut', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 6 }), fc.integer({ min: 1, max: 9 }), (text, piece) => {
        expect(scan(text, { piece })).toEqual(countOf(JSON.parse(text)))
      }),
    )
  })

  it('finds the end of a long text whatever stands in it, however it is cut', () => {
    const length = fc.oneof(fc.integer({ min: 0, max: 40_000 }), fc.integer({ min: 56, max: 72 }))
    const stretch = fc.tuple(length, fc.constantFrom('\\', '"', '\n', '}', 'é'))
    fc.assert(
      fc.property(fc.array(stretch, { maxLength: 6 }), fc.integer({ min: 1, max: 70_000 }), (stretches, piece) => {
        const text = stretches.map(([length, then]) => 'a'.repeat(length) + then).join('')
        const json = JSON.stringify([text, { [text]: [text] }])
        expect(scan(json, { piece })).toEqual({ values: 5, depth: 3 })
        expect(scan(`${json}\n${json}`, { piece, mediaType: 'ndjson' })).toEqual({ values: 10, depth: 3 })
      }),
    )
  })

  it('counts the lines of a session file each for itself: a quote that one leaves open hides nothing of the next', () => {
    expect(scan('{"a":"\n[{},{}]\n\n"\n{}', { mediaType: 'ndjson', piece: 1 })).toEqual({ values: 7, depth: 2 })
    expect(scan('{"a":"\n[{},{}]', { mediaType: 'json' })).toEqual({ values: 2, depth: 1 })
  })
})
