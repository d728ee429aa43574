import { expect, test } from 'vitest'
import { clauses } from '../../../src/domain/extractive/clauses.ts'

const LONG =
  'The reader was moved to the worker thread of the small pool first, and the writer stays where it has been before'

test.each([
  ['short', 40, 'short'],
  [LONG, 90, 'The reader was moved to the worker thread of the small pool first …'],
  [
    'one two three four five six seven eight nine ten eleven twelve thirteen',
    66,
    'one two three four five six seven eight nine ten eleven twelve …',
  ],
])('clauses of %j in %i characters', (line, most, wanted) => {
  expect(clauses(line, most)).toBe(wanted)
})

test('clauses never leaves half of a code span', () => {
  expect(
    clauses(
      `The function that reads it all from the beginning to the end is \`read header, then body\` of the parser`,
      85,
    ),
  ).not.toMatch(/`[^`]*$/)
})
