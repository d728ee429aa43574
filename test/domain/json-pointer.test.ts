import { expect, it } from 'vitest'
import { jsonPointer } from '../../src/domain/json-pointer.ts'

it.each([
  [[], ''],
  [['messages', 0, 'content'], '/messages/0/content'],
  [['a/b', 'c~d', '~1'], '/a~1b/c~0d/~01'],
  [[''], '/'],
])('jsonPointer writes %j as RFC 6901 does', (path, text) => {
  expect(jsonPointer(path)).toBe(text)
})
