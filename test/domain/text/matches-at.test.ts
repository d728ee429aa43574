import fc from 'fast-check'
import { expect, it } from 'vitest'
import { matchesAt } from '../../../src/domain/text/matches-at.ts'

it('matchesAt finds what a search through the whole text finds', () => {
  const unit = fc.constantFrom('<', 'a', 'b', '>', '\n', '中')
  fc.assert(
    fc.property(fc.string({ unit, maxLength: 60 }), (text) => {
      const found = Array.from(matchesAt(text, '<', /<(a{1,3}|<)>?/y), ({ 0: whole, 1: name, index }) => [
        whole,
        name,
        index,
      ])
      expect(found).toEqual(
        Array.from(text.matchAll(/<(a{1,3}|<)>?/g), ({ 0: whole, 1: name, index }) => [whole, name, index]),
      )
    }),
  )
})
