import { expect, it } from 'vitest'
import { diffLines } from '../../../src/process/connect/diff-lines.ts'

it.each([
  ['nothing', 'a\nb\n', 'a\nb\n', []],
  ['a new file', '', 'a\nb\n', ['+a', '+b']],
  ['a file that goes', 'a\n', '', ['-a']],
  [
    'two changes, with two lines around each',
    '1\n2\n3\n4\n5\n6\n7\n8\n9\n',
    '0\n1\n2\n3\n4\n5\n6\n7\n9\n',
    ['+0', ' 1', ' 2', ' 6', ' 7', '-8', ' 9'],
  ],
])('diffLines tells %s', (_title, before, after, lines) => {
  expect(diffLines(before, after)).toEqual(lines)
})
