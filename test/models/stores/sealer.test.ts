import { describe, expect, it } from 'vitest'
import { createSealer } from '../../../src/models/stores/sealer.ts'

const sealer = createSealer(['a-secret-of-the-operator'])
const PLAIN = 'The parser moved to its own file.'

describe('createSealer', () => {
  it('opens what it sealed, text and bytes', () => {
    expect(sealer.open(sealer.seal(PLAIN, 'here'), 'here')?.toString()).toBe(PLAIN)
    const bytes = Uint8Array.of(0, 255, 7)
    expect([...(sealer.open(sealer.seal(bytes, 'here'), 'here') ?? [])]).toEqual([0, 255, 7])
  })

  it('writes the same text differently each time, and never readably', () => {
    const [one, other] = [sealer.seal(PLAIN, 'here'), sealer.seal(PLAIN, 'here')]
    expect(one.equals(other)).toBe(false)
    expect(one.includes('parser')).toBe(false)
  })

  it.each([
    ['another place', (sealed: Buffer) => sealer.open(sealed, 'there')],
    ['another secret', (sealed: Buffer) => createSealer(['somebody-elses-secret']).open(sealed, 'here')],
    [
      'a changed byte',
      (sealed: Buffer) => sealer.open(Buffer.from(sealed.map((byte, i) => (i === 40 ? byte ^ 1 : byte))), 'here'),
    ],
    ['a cut value', (sealed: Buffer) => sealer.open(sealed.subarray(0, 20), 'here')],
    ['nothing', () => sealer.open(new Uint8Array(), 'here')],
    ['plain text', () => sealer.open(Buffer.from(PLAIN.repeat(3)), 'here')],
  ])('does not open %s, and does not throw', (_what, open) => {
    expect(open(sealer.seal(PLAIN, 'here'))).toBeUndefined()
  })

  it('writes with the first secret and reads with every one', () => {
    const rotated = createSealer(['the-newer-secret-of-two', 'a-secret-of-the-operator'])
    expect(rotated.open(sealer.seal(PLAIN, 'here'), 'here')?.toString()).toBe(PLAIN)
    expect(sealer.open(rotated.seal(PLAIN, 'here'), 'here')).toBeUndefined()
  })
})
