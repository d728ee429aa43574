import { describe, expect, it } from 'vitest'
import { migrate } from '../../../src/domain/session/migrate.ts'
import { deepFreeze } from '../../support/deep-freeze.ts'

const said = (text: string) => ({ type: 'message', message: { role: 'user', content: text } })

describe('migrate', () => {
  it('gives a v1 file ids by place, a chain of parents and a first kept id counted over all objects', () => {
    const old = [
      { type: 'session', id: 'old' },
      said('zero'),
      said('one'),
      { type: 'compaction', summary: 'early', firstKeptEntryIndex: 2 },
      said('two'),
    ]
    const rows = migrate(deepFreeze(old))
    expect(rows.map((row) => row.id)).toEqual(['old', '00000001', '00000002', '00000003', '00000004'])
    expect(rows.map((row) => row.parentId)).toEqual([undefined, null, '00000001', '00000002', '00000003'])
    expect(rows[3]).toMatchObject({ firstKeptEntryId: '00000002' })
    expect(rows[3]).not.toHaveProperty('firstKeptEntryIndex')
  })

  it('takes the first entry for a boundary that points at the header', () => {
    const old = [
      { type: 'session', id: 'old' },
      said('zero'),
      { type: 'compaction', summary: 's', firstKeptEntryIndex: 0 },
    ]
    expect(migrate(old)[2]?.firstKeptEntryId).toBe('00000001')
  })

  it('counts ids in hexadecimal', () => {
    const old = [{ type: 'session', id: 'old' }, ...Array.from({ length: 17 }, () => said('x'))]
    expect(migrate(old).at(-1)?.id).toBe('00000011')
  })

  it('renames hookMessage to custom and touches nothing else', () => {
    const other = { ...said('go'), id: 'b', parentId: 'a' }
    const rows = deepFreeze([
      { type: 'session', version: 2, id: 's' },
      { type: 'message', id: 'a', parentId: null, message: { role: 'hookMessage', customType: 'h', content: 'x' } },
      other,
    ])
    const migrated = migrate(rows)
    expect(migrated[1]?.message).toEqual({ role: 'custom', customType: 'h', content: 'x' })
    expect(migrated[2]).toBe(other)
  })

  it('leaves a tree alone whose header merely says no version', () => {
    const rows = [
      { type: 'session', id: 's' },
      { ...said('go'), id: 'a', parentId: null },
    ]
    expect(migrate(rows)).toBe(rows)
  })

  it('recognises a v1 file that lost its header', () => {
    expect(migrate([said('zero'), said('one')])[1]).toMatchObject({ id: '00000001', parentId: '00000000' })
  })
})
