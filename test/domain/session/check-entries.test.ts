import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { entriesSchema, isPlainRow } from '../../../src/domain/session/check-entries.ts'
import { rowSchema } from '../../../src/domain/session/entry.ts'
import { propertyRuns } from '../../support/property-runs.ts'

const header = { type: 'session', version: 3, id: 's' }
const user = { type: 'message', id: 'a', parentId: null, message: { role: 'user', content: 'hi' } }

/** Where the faults of a session's rows are. */
const faultsOf = (rows: readonly unknown[]) =>
  (entriesSchema.safeParse(rows).error?.issues ?? []).map(({ path }) => path.join('/'))

describe('the faults of entriesSchema', () => {
  it.each([
    ['a row that is no object', 7, '2'],
    ['a type that is missing', { id: 'b', parentId: 'a' }, '2/type'],
    ['an id that is missing', { ...user, id: undefined }, '2/id'],
    ['an id that is no string', { ...user, id: 3 }, '2/id'],
    ['a parent that is missing', { ...user, parentId: undefined }, '2/parentId'],
    ['a message that is missing', { ...user, message: undefined }, '2/message'],
    ['a message without a role', { ...user, message: { content: 'x' } }, '2/message/role'],
    ['a content that is a number', { ...user, message: { role: 'user', content: 3 } }, '2/message/content'],
    ['a result without its call', { ...user, message: { role: 'toolResult' } }, '2/message/toolCallId'],
    ['a compaction without summary', { ...user, type: 'compaction', firstKeptEntryId: 'a' }, '2/summary'],
    ['a compaction without boundary', { ...user, type: 'compaction', summary: 's' }, '2/firstKeptEntryId'],
    ['a branch summary without text', { ...user, type: 'branch_summary' }, '2/summary'],
    ['a custom message without content', { ...user, type: 'custom_message' }, '2/content'],
  ])('points at %s', (_name, row, path) => {
    expect(faultsOf([header, user, row])).toEqual([path])
  })

  it('tolerates unknown types, roles, fields, null contents and notes outside the tree', () => {
    const rows = [
      { type: 'title', v: 1, title: 't' },
      { ...header, extra: { deep: true } },
      { ...user, novel: [1] },
      { type: 'hologram', id: 'h', parentId: 'a', beam: 1 },
      { type: 'telemetry', load: 3 },
      { ...user, id: 'b', parentId: 'h', message: { role: 'oracle', content: null, usage: 'none' } },
    ]
    expect(faultsOf(rows)).toEqual([])
  })

  it('asks no ids of a file of format v1', () => {
    const rows = [
      { type: 'session', id: 's' },
      { type: 'message', message: { role: 'user', content: 'x' } },
    ]
    expect(faultsOf([...rows, { type: 'compaction', summary: 's', firstKeptEntryIndex: 1 }])).toEqual([])
  })

  it('names every fault, up to a limit', () => {
    expect(faultsOf(Array.from({ length: 5 }, () => 1))).toHaveLength(5)
    expect(faultsOf(Array.from({ length: 5000 }, () => 1)).length).toBeLessThan(500)
  })
})

describe('entriesSchema', () => {
  it('puts its faults under the field it stands in and leaves the rows as they came', () => {
    const schema = z.object({ entries: entriesSchema })
    const faulty = schema.safeParse({ entries: [header, { ...user, id: '' }] })
    expect(faulty.error?.issues.map((issue) => issue.path)).toEqual([['entries', 1, 'id']])
    const rows = [header, user]
    expect(schema.parse({ entries: rows }).entries[1]).toBe(user)
  })
})

describe('entriesSchema as a document', () => {
  it('says what a row looks like', () => {
    const document = z.toJSONSchema(entriesSchema, { io: 'input' })
    expect(document).toMatchObject({
      type: 'array',
      items: { required: ['type'], properties: { message: { required: ['role'] } } },
    })
  })
})

describe('isPlainRow', () => {
  const oddly = fc.oneof(
    fc.constant(undefined),
    fc.constant(null),
    fc.string(),
    fc.integer(),
    fc.constant([]),
    fc.constant({}),
  )
  const message = fc.record(
    { role: oddly, content: oddly, toolCallId: oddly, summary: oddly, usage: oddly, isError: oddly },
    { requiredKeys: [] },
  )
  const row = fc.record(
    {
      type: oddly,
      id: oddly,
      parentId: oddly,
      summary: oddly,
      firstKeptEntryId: oddly,
      content: oddly,
      details: oddly,
      message: fc.oneof(message, oddly),
    },
    { requiredKeys: [] },
  )

  it('accepts exactly what rowSchema accepts', () => {
    fc.assert(
      fc.property(fc.oneof(row, oddly), (value) => {
        expect(isPlainRow(value)).toBe(rowSchema.safeParse(value).success)
      }),
      { seed: 1, numRuns: propertyRuns(700) },
    )
  })
})
