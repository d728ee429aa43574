import { describe, expect, it } from 'vitest'
import { countOption, textOption } from '../../../src/process/commands/command.ts'

const args = (options: Record<string, string | boolean>) => ({ names: [], options })

describe('countOption', () => {
  it('takes whole numbers of at least 1, and nothing', () => {
    expect(countOption(args({ keep: '900' }), 'keep')).toBe(900)
    expect(countOption(args({}), 'keep')).toBeUndefined()
  })

  it.each(['0', '-1', '1.5', 'many', '1e3', '9'.repeat(20), ''])('refuses %j by name', (text) => {
    expect(() => countOption(args({ keep: text }), 'keep')).toThrow('--keep takes a whole number')
  })
})

it('textOption leaves flags alone', () => {
  expect(textOption(args({ out: 'x.json', undo: true }), 'out')).toBe('x.json')
  expect(textOption(args({ out: 'x.json', undo: true }), 'undo')).toBeUndefined()
})
