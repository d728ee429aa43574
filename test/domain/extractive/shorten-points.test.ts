import { describe, expect, it } from 'vitest'
import { shortenPoints } from '../../../src/domain/extractive/shorten-points.ts'
import { utf8Length } from '../../../src/domain/tokens/utf8.ts'

const points = (count: number, words = 30): string =>
  [
    'Please go through these:',
    ...Array.from({ length: count }, (_, i) => `${i + 1}. point${i} ${'and more words '.repeat(words)}`),
  ].join('\n')

describe('shortenPoints', () => {
  it('tells the beginning of every point within the bytes', () => {
    for (const bytes of [300, 600, 1200]) {
      const short = shortenPoints(points(6), bytes) ?? ''
      expect(utf8Length(short)).toBeLessThanOrEqual(bytes)
      for (let i = 0; i < 6; i += 1) expect(short).toContain(`point${i}`)
      expect(short.split('\n')[0]).toBe('Please go through these:')
    }
  })

  it('leaves the room of short points to the longer ones', () => {
    const short = shortenPoints(`1. one\n2. two\n3. ${'long words here '.repeat(40)}`, 300) ?? ''
    expect(short).toContain('1. one\n2. two\n3. long')
    expect(utf8Length(short)).toBeGreaterThan(260)
  })

  it('counts bytes in other scripts', () => {
    const short =
      shortenPoints(Array.from({ length: 4 }, (_, i) => `${i + 1}. ${'表里的字 '.repeat(60)}`).join('\n'), 400) ?? ''
    expect(utf8Length(short)).toBeLessThanOrEqual(400)
    expect(short).toContain('4. 表')
  })

  it.each([
    ['no list', 'word '.repeat(200), 300],
    ['too many points for the room', points(40), 300],
    ['two points', points(2), 300],
  ])('is nothing for %s', (_, text, bytes) => {
    expect(shortenPoints(text, bytes)).toBeNull()
  })
})
