import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { checkRequest } from '../../src/pipelines/check-schema.ts'
import { compactRequest } from '../../src/pipelines/compact-schema.ts'
import { contextRequest } from '../../src/pipelines/context-schema.ts'
import { pruneRequest } from '../../src/pipelines/prune-schema.ts'
import { queryParameters } from '../../src/requests/query-parameters.ts'

const schema = z.looseObject({
  count: z.int().optional(),
  ratio: z.number().default(0.5),
  on: z.boolean().nullish(),
  name: z.string(),
  list: z.array(z.string()).optional(),
  numbers: z.array(z.int()).optional(),
  inner: z.looseObject({ deep: z.looseObject({ count: z.int() }), text: z.string() }).optional(),
  either: z.union([z.boolean(), z.looseObject({ tokens: z.int() })]).optional(),
  nothing: z.string().nullable(),
})

describe('queryParameters', () => {
  it.each([
    [{ count: '5' }, { count: 5 }],
    [{ count: '-5' }, { count: -5 }],
    [{ ratio: '0.25' }, { ratio: 0.25 }],
    [{ on: 'true' }, { on: true }],
    [{ on: 'false' }, { on: false }],
    [{ on: 'null' }, { on: null }],
    [{ nothing: 'null' }, { nothing: null }],
    [{ name: '12345678' }, { name: '12345678' }],
    [{ name: 'true' }, { name: 'true' }],
    [{ name: 'null' }, { name: 'null' }],
    [{ list: 'a' }, { list: ['a'] }],
    [{ list: ['1', '2'] }, { list: ['1', '2'] }],
    [{ numbers: ['1', '2'] }, { numbers: [1, 2] }],
    [{ count: ['1', '2'] }, { count: 2 }],
    [{ either: 'true' }, { either: true }],
    [{ 'either.tokens': '5' }, { either: { tokens: 5 } }],
    [{ 'inner.deep.count': '5', 'inner.text': '5' }, { inner: { deep: { count: 5 }, text: '5' } }],
  ])('turns %j into %j', (query, value) => {
    expect(queryParameters(query, schema)).toEqual(value)
  })

  it.each([{ count: '' }, { count: '0x10' }, { count: '1e9' }, { count: ' 5' }, { on: 'yes' }, { on: 'TRUE' }])(
    'leaves to the schema what fits nothing: %j',
    (query) => {
      expect(queryParameters(query, schema)).toEqual(query)
    },
  )

  it('lets through what the schema does not know, as it came', () => {
    expect(queryParameters({ next: '5', 'inner.next': 'true', a: ['1', '2'] }, schema)).toEqual({
      next: '5',
      inner: { next: 'true' },
      a: '2',
    })
  })

  it.each(['__proto__', 'constructor', 'inner.__proto__.polluted', 'toString', '', '.', 'a..b', '.a', 'a.'])(
    'drops a name that would reach into every object, or into none: %j',
    (name) => {
      const value = queryParameters({ [name]: 'x', name: 'kept' }, schema)
      expect(value).toEqual({ name: 'kept' })
      expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
    },
  )

  it('drops a name deeper than any parameter', () => {
    expect(queryParameters({ [Array(7000).fill('a').join('.')]: 'x', name: 'kept' }, schema)).toEqual({ name: 'kept' })
  })

  it('lets the later of two that are at odds win', () => {
    expect(queryParameters({ inner: 'text', 'inner.text': 'deep' }, schema)).toEqual({ inner: { text: 'deep' } })
  })

  it('takes the parameters of the contract for every endpoint that reads session files', () => {
    const query = { contextWindow: '200000', 'settings.keepRecentTokens': '8000', leafId: '12345678' }
    expect(checkRequest.safeParse({ entries: [], ...queryParameters(query, checkRequest) }).data).toMatchObject({
      contextWindow: 200_000,
      settings: { keepRecentTokens: 8_000 },
      leafId: '12345678',
    })
    const compaction = {
      ...query,
      reason: 'threshold',
      dryRun: 'true',
      'prune.protectTokens': '5',
      pinned: ['a', 'b'],
      coverage: 'true',
    }
    expect(
      compactRequest.safeParse({ entries: [], ...queryParameters(compaction, compactRequest) }).data,
    ).toMatchObject({
      contextWindow: 200_000,
      reason: 'threshold',
      dryRun: true,
      prune: { protectTokens: 5 },
      pinned: ['a', 'b'],
      leafId: '12345678',
    })
    const pruning = { protectTokens: '5', protectedTools: 'read' }
    expect(pruneRequest.safeParse({ entries: [], ...queryParameters(pruning, pruneRequest) }).data).toMatchObject({
      protectTokens: 5,
      protectedTools: ['read'],
    })
    expect(
      contextRequest.safeParse({ entries: [], ...queryParameters({ format: 'openai' }, contextRequest) }).data,
    ).toMatchObject({
      format: 'openai',
    })
  })
})
