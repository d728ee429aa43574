import { describe, expect, it } from 'vitest'
import { RecapdError } from '../../../src/domain/errors.ts'
import { commonAncestor, pathTo } from '../../../src/domain/session/path.ts'
import { readSession } from '../../../src/domain/session/session.ts'
import { SessionBuilder } from '../../support/session-builder.ts'

const row = (id: string, parentId: string | null) => ({
  type: 'message',
  id,
  parentId,
  message: { role: 'user', content: id },
})
const idsOf = (path: readonly { readonly id: string }[]) => path.map((entry) => entry.id)

function codeOf(run: () => unknown): string | undefined {
  try {
    run()
  } catch (error) {
    return error instanceof RecapdError ? error.code : String(error)
  }
  return undefined
}

describe('pathTo', () => {
  const rows = [
    { type: 'title', v: 1 },
    { type: 'session', version: 3, id: 's' },
    row('a', null),
    row('b', 'a'),
    row('c', 'a'),
  ]

  it('walks from the last entry to the root by default, from any entry when asked', () => {
    expect(idsOf(pathTo(readSession(rows)))).toEqual(['a', 'c'])
    expect(idsOf(pathTo(readSession(rows), 'b'))).toEqual(['a', 'b'])
  })

  it('does not mind children that stand before their parents', () => {
    expect(idsOf(pathTo(readSession([row('c', 'b'), row('b', 'a'), row('a', null)]), 'c'))).toEqual(['a', 'b', 'c'])
  })

  it.each([
    ['no-entries', [{ type: 'session', version: 3, id: 's' }], undefined],
    ['unknown-leaf', rows, 'zzz'],
    ['broken-tree', [row('a', 'gone')], undefined],
    ['broken-tree', [row('a', 'b'), row('b', 'a')], undefined],
    ['broken-tree', [row('a', null), row('b', 'a'), row('a', null)], 'b'],
  ])('throws %s', (code, broken, leafId) => {
    expect(codeOf(() => pathTo(readSession(broken), leafId))).toBe(code)
  })

  it('points at the entry whose parent is missing', () => {
    try {
      pathTo(readSession([{ type: 'session', version: 3, id: 's' }, row('a', 'gone')]))
      expect.unreachable()
    } catch (error) {
      expect(error).toMatchObject({ extras: { errors: [{ path: '/entries/1/parentId' }] } })
    }
  })

  it('takes duplicate ids on another branch for a warning', () => {
    const session = readSession([row('a', null), row('b', 'a'), row('b', 'a'), row('c', 'a')])
    expect(idsOf(pathTo(session, 'c'))).toEqual(['a', 'c'])
    expect(session.warnings).toHaveLength(1)
  })

  it('walks fifty thousand entries', () => {
    const builder = new SessionBuilder()
    for (let index = 0; index < 50_000; index += 1) builder.user('x')
    expect(pathTo(builder.read())).toHaveLength(50_000)
  })
})

describe('commonAncestor', () => {
  it('finds the deepest shared entry, and null between two roots', () => {
    const session = readSession([row('a', null), row('b', 'a'), row('c', 'b'), row('d', 'b'), row('z', null)])
    const path = (id: string) => pathTo(session, id)
    expect(commonAncestor(path('c'), path('d'))?.id).toBe('b')
    expect(commonAncestor(path('b'), path('d'))?.id).toBe('b')
    expect(commonAncestor(path('c'), path('z'))).toBeNull()
  })
})
