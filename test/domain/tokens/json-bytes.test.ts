import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { jsonBytes } from '../../../src/domain/tokens/json-bytes.ts'

describe('jsonBytes', () => {
  it('is the size of what JSON.stringify writes, whatever the value', () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: 'binary' }), (value) => {
        const text = JSON.stringify(value)
        expect(jsonBytes(JSON.parse(text))).toBe(Buffer.byteLength(text))
      }),
      { seed: 7, numRuns: 500 },
    )
  })

  it.each(['', 'a"b\\c', '\b\t\n\f\r\u0000\u001f', 'é', '日本', '😀', 'lone \ud83d', '\udc00 lone'])(
    'of %j',
    (text) => {
      expect(jsonBytes(text)).toBe(Buffer.byteLength(JSON.stringify(text)))
    },
  )

  it('measures nesting that the engine itself cannot write', () => {
    let deep: unknown = 0
    for (let depth = 0; depth < 100_000; depth += 1) deep = [deep]
    expect(jsonBytes(deep)).toBe(200_001)
  })
})
