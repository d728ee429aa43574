import { describe, expect, it } from 'vitest'
import { findPrepared, keepPrepared } from '../../../src/pipelines/ahead/prepared.ts'

function shelf() {
  const values = new Map<string, string>()
  return {
    values,
    get: async (name: string) => values.get(name),
    set: async (name: string, value: string) => void values.set(name, value),
  }
}
const rows = (count: number, mark = 'row') => Array.from({ length: count }, (_, i) => ({ id: i, text: `${mark} ${i}` }))
const prepared = (count: number, history = `of ${count}`) => ({
  count,
  start: 0,
  turnStart: null,
  history,
  degraded: false,
  hooked: 'h',
})
const TTL = 1_000

describe('findPrepared', () => {
  it('finds what was kept for the rows it begins with, the one that covers most', async () => {
    const place = shelf()
    for (const count of [2, 4])
      await keepPrepared(place, { rows: rows(6), variant: 'v' }, { prepared: prepared(count), ttlMs: TTL })
    expect(await findPrepared(place, { rows: rows(9), variant: 'v' })).toEqual(prepared(4))
    expect(await findPrepared(place, { rows: rows(4), variant: 'v' })).toEqual(prepared(2))
  })

  it.each([
    ['another variant', { rows: rows(9), variant: 'other' }],
    ['another first row', { rows: rows(9, 'else'), variant: 'v' }],
    ['one byte in the middle', { rows: rows(9).with(2, { id: 2, text: 'row 2!' }), variant: 'v' }],
    ['too few rows', { rows: rows(4), variant: 'v' }],
    ['no rows', { rows: [], variant: 'v' }],
  ])('finds nothing for %s', async (_what, region) => {
    const place = shelf()
    await keepPrepared(place, { rows: rows(6), variant: 'v' }, { prepared: prepared(4), ttlMs: TTL })
    expect(await findPrepared(place, region)).toBeUndefined()
  })

  it('keeps nothing that can be read without the rows', async () => {
    const place = shelf()
    await keepPrepared(place, { rows: rows(6), variant: 'v' }, { prepared: prepared(4, 'violet-otter'), ttlMs: TTL })
    const all = [...place.values].flat().map((text) => `${text} ${Buffer.from(text, 'base64').toString('latin1')}`)
    expect(all.join('\n')).not.toContain('violet-otter')
  })

  it('takes damaged values for none', async () => {
    const place = shelf()
    await keepPrepared(place, { rows: rows(6), variant: 'v' }, { prepared: prepared(4), ttlMs: TTL })
    for (const [name] of place.values) place.values.set(name, 'damaged')
    expect(await findPrepared(place, { rows: rows(9), variant: 'v' })).toBeUndefined()
  })
})
