import fc from 'fast-check'
import { expect, test } from 'vitest'
import { stripPinned, withPinned } from '../../../src/domain/summary/pinned.ts'

const SUMMARY = '## Goal\nx'

test('withPinned copies the texts verbatim under their own heading', () => {
  expect(withPinned(SUMMARY, ['# Plan\n- [ ] one', 'Rule 2'])).toBe(
    `${SUMMARY}\n\n## Pinned\n\n<pinned>\n# Plan\n- [ ] one\n\nRule 2\n</pinned>`,
  )
})

test('withPinned replaces the older section, wherever the model left it', () => {
  const old = `${withPinned(SUMMARY, ['old plan'])}\n\n## Later\ny`
  expect(withPinned(old, ['new plan'])).toBe(`${SUMMARY}\n\n## Later\ny\n\n## Pinned\n\n<pinned>\nnew plan\n</pinned>`)
})

test('withPinned keeps the earlier pins when the caller names none, and drops them for an empty list', () => {
  const previous = withPinned('old', ['the plan'])
  expect(withPinned(SUMMARY, undefined, previous)).toBe(withPinned(SUMMARY, ['the plan']))
  expect(withPinned(SUMMARY, [], previous)).toBe(SUMMARY)
  expect(withPinned(SUMMARY, undefined)).toBe(SUMMARY)
  expect(withPinned(SUMMARY, [' \n'])).toBe(SUMMARY)
})

test('withPinned redacts', () => {
  expect(withPinned('', [`key ghp_${'x9Y8w7V6u5T4s3R2q1P0o9N8m7L6k5J4i3H2'}`])).not.toContain('x9Y8w7V6')
})

test('withPinned is idempotent over repeated compactions, whatever is pinned', () => {
  const text = fc
    .array(fc.constantFrom('<pinned>', '</pinned>', '\n', '## Pinned', 'plan', '- [ ] a', '## Goal'), { maxLength: 10 })
    .map((parts) => parts.join(''))
  fc.assert(
    fc.property(fc.array(text, { minLength: 1, maxLength: 3 }), (pinned) => {
      const once = withPinned(SUMMARY, pinned)
      expect(withPinned(once, pinned)).toBe(once)
      expect(withPinned(SUMMARY, undefined, once)).toBe(once)
      expect(stripPinned(once)).toBe(SUMMARY)
    }),
    { seed: 19, numRuns: 1000 },
  )
})
