import { describe, expect, it } from 'vitest'
import { setAt } from '../../src/domain/set-at.ts'

describe('setAt', () => {
  it.each([
    [{}, ['a'], { a: 1 }],
    [{}, ['a', 'b', 'c'], { a: { b: { c: 1 } } }],
    [{ a: { x: 0 } }, ['a', 'b'], { a: { x: 0, b: 1 } }],
    [{ a: 'text' }, ['a', 'b'], { a: { b: 1 } }],
    [{ a: [5] }, ['a', 'b'], { a: { b: 1 } }],
  ])('%j at %j becomes %j', (tree: Record<string, unknown>, path, expected) => {
    setAt(tree, path, 1)
    expect(tree).toEqual(expected)
  })
})
