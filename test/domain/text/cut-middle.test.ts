import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cutMiddle } from '../../../src/domain/text/cut-middle.ts'
import { utf8Length } from '../../../src/domain/tokens/utf8.ts'

describe('cutMiddle', () => {
  it('leaves what is short enough alone', () => {
    expect(cutMiddle('short', 100)).toEqual({ text: 'short', removed: 0 })
    expect(cutMiddle('ä'.repeat(50), 100).removed).toBe(0)
  })

  it('keeps both ends within the bytes, whole characters only, and says how much is gone', () => {
    const unit = fc.constantFrom('a', 'é', '€', '😀', '\n')
    fc.assert(
      fc.property(
        fc.array(unit, { minLength: 200, maxLength: 600 }),
        fc.integer({ min: 100, max: 400 }),
        (units, most) => {
          const text = units.join('')
          const cut = cutMiddle(text, most)
          expect(utf8Length(cut.text)).toBeLessThanOrEqual(most)
          expect(cut.text.isWellFormed()).toBe(true)
          if (cut.removed === 0) return expect(cut.text).toBe(text)
          const [head = '', tail = ''] = cut.text.split(`\n[… ${cut.removed} characters left out here …]\n`)
          expect(text.startsWith(head) && text.endsWith(tail)).toBe(true)
          expect(head.length + cut.removed + tail.length).toBe(text.length)
          return undefined
        },
      ),
      { seed: 42, numRuns: 300 },
    )
  })
})
