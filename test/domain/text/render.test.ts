import fc from 'fast-check'
import { expect, test } from 'vitest'
import { render, slotsOf } from '../../../src/domain/text/render.ts'

test('render fills every slot, however often it stands there', () => {
  expect(render('{{a}} and {{ b }} and {{a}}', { a: 'x', b: 2 })).toBe('x and 2 and x')
})

test('render never looks for slots inside values', () => {
  expect(render('[{{a}}][{{b}}]', { a: '{{b}} $& $1 {{', b: '{{a}}' })).toBe('[{{b}} $& $1 {{][{{a}}]')
  fc.assert(
    fc.property(fc.string(), fc.string(), (a, b) => {
      expect(render('<{{a}}|{{b}}>', { a, b })).toBe(`<${a}|${b}>`)
    }),
    { seed: 7, numRuns: 300 },
  )
})

test('render refuses a slot without a value, also one that every object inherits', () => {
  expect(() => render('{{missing}}', {})).toThrow(/"missing" has no value/)
  expect(() => render('{{constructor}}', {})).toThrow(/"constructor" has no value/)
})

test('slotsOf sees what render would fill', () => {
  expect(slotsOf('{{a}} {b} {{ c }} {{#if d}} {{}}')).toEqual(['a', 'c', '#if d', ''])
})
