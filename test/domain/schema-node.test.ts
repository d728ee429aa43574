import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { itemOf, memberOf, scalarTypesOf, schemaNode } from '../../src/domain/schema-node.ts'

const schema = z.looseObject({
  count: z.int().positive().default(3),
  read: z.preprocess((value) => value, z.union([z.string(), z.boolean(), z.array(z.string())])).default(false),
  either: z.union([z.boolean(), z.looseObject({ tokens: z.number() })]).optional(),
  level: z.enum(['low', 'high']).nullish(),
  list: z.array(z.int()).nullish(),
  record: z.record(z.string(), z.string()),
})
const root = schemaNode(schema)
const at = (...path: readonly string[]) =>
  path.reduce<ReturnType<typeof memberOf>>((node, name) => (node === undefined ? node : memberOf(node, name)), root)

describe('schemaNode', () => {
  it('is written once for each schema', () => {
    expect(schemaNode(schema)).toBe(root)
  })

  it.each([
    ['count', 3],
    ['read', false],
    ['either', undefined],
  ])('%s: its default is %j, also where a value is read before it is checked', (name, value) => {
    expect(at(name)?.default).toBe(value)
  })
})

describe('scalarTypesOf', () => {
  it.each([
    [['count'], ['number']],
    [['read'], ['string', 'boolean']],
    [['either'], ['boolean']],
    [['either', 'tokens'], ['number']],
    [['level'], ['string', 'null']],
    [['list'], ['null']],
    [['record'], []],
  ])('%j takes %j', (path, types) => {
    const node = at(...path)
    expect(node && scalarTypesOf(node)).toEqual(types)
  })
})

describe('memberOf', () => {
  it.each([[['unknown']], [['count', 'inner']], [['toString']], [['__proto__']], [['either', 'tokens', 'x']]])(
    'knows no %j',
    (path) => {
      expect(at(...path)).toBeUndefined()
    },
  )
})

describe('itemOf', () => {
  it.each([
    ['list', ['number']],
    ['read', ['string']],
    ['record', undefined],
    ['count', undefined],
  ])('of %s takes %j', (name, types) => {
    const node = at(name)
    const item = node && itemOf(node)
    expect(item && scalarTypesOf(item)).toEqual(types)
  })
})
