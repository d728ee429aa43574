import { expect, it } from 'vitest'
import { addAll } from '../../src/domain/add-all.ts'

it('addAll adds more items than a call may have arguments', () => {
  const list = [0]
  const items = Array.from({ length: 500_000 }, (_, at) => at + 1)
  expect(() => list.push(...items)).toThrow(RangeError)
  addAll(list, items)
  expect(list.length).toBe(500_001)
  expect(list.at(-1)).toBe(500_000)
})
