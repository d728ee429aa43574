import { expect, it } from 'vitest'
import { STRIKING } from '../../../src/domain/list/strikes.ts'

it.each([
  ['nothing-to-compact', true],
  ['already-compacted', true],
  ['inflated', true],
  ['ineffective', true],
  // These never began.
  ['below-threshold', false],
  ['disabled', false],
  ['cooldown', false],
  ['dry-run', false],
  ['cancelled-by-hook', false],
])('a pass that ended as %s is a strike: %s', (reason, strikes) => {
  expect(STRIKING.has(reason)).toBe(strikes)
})
