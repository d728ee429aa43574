import { expect, test } from 'vitest'
import { NOTICE } from '../../../src/domain/extractive/notice.ts'
import { isInflated, mergeSummary } from '../../../src/domain/summary/merge.ts'

test('mergeSummary writes the form that agents know for a split turn', () => {
  expect(mergeSummary({ history: '## Goal\nx', prefix: '## Original Request\ny' })).toBe(
    '## Goal\nx\n\n---\n\n**Turn Context (split turn):**\n\n## Original Request\ny',
  )
})

test.each([
  ['a history alone', { history: 'H' }, 'H'],
  [
    'the previous summary takes the place of an empty history, verbatim',
    { history: '', previousSummary: ' P\n', prefix: 'X' },
    ' P\n\n\n---\n\n**Turn Context (split turn):**\n\nX',
  ],
  ['the new history wins over the previous summary', { history: 'H', previousSummary: 'P' }, 'H'],
  ['nothing before the turn', { prefix: 'X' }, 'No prior history.\n\n---\n\n**Turn Context (split turn):**\n\nX'],
  ['nothing at all', {}, 'No prior history.'],
])('mergeSummary: %s', (_, parts, wanted) => {
  expect(mergeSummary(parts)).toBe(wanted)
})

test('isInflated is strict and counts bytes', () => {
  expect(isInflated('x'.repeat(400), 100)).toBe(false)
  expect(isInflated('x'.repeat(401), 100)).toBe(true)
  expect(isInflated('汉'.repeat(134), 100)).toBe(true)
})

test('mergeSummary says once that no language model made it', () => {
  const merged = mergeSummary({ history: `${NOTICE}\n\n## Goal\nx`, prefix: `${NOTICE}\n\n## Original Request\ny` })
  expect(merged.split(NOTICE)).toHaveLength(2)
  expect(merged).toMatch(/^Note: .*## Goal\nx[\s\S]*## Original Request\ny$/s)
  expect(mergeSummary({ history: '## Goal\nx', prefix: `${NOTICE}\n\ny` })).toContain(NOTICE)
})

test('mergeSummary takes what the turn has settled out of a summary of ours before it, all lines of a quotation', () => {
  const history = [
    NOTICE,
    '',
    '## Goal',
    '- Newest request: Check it.',
    '- It answers the assistant: I am done.',
    '  - 1309 tests pass',
    '',
    '  Nothing else is left.',
    '',
    '## Critical Context',
    '- Last words of the assistant: All clean.',
    '  Nothing was found.',
    '- Links and ids: #12',
  ].join('\n')
  const [before] = mergeSummary({ history, prefix: '## Original Request\ny' }).split('\n\n---\n')
  expect(before).toBe(
    [NOTICE, '', '## Goal', '- Then: Check it.', '', '## Critical Context', '- Links and ids: #12'].join('\n'),
  )
})
