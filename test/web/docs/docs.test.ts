import { describe, expect, it } from 'vitest'
import { webModule } from '../../support/web-module.ts'
import { STUB_OPENAPI } from './stub-openapi.ts'

type Row = Record<string, unknown>
interface Entry {
  readonly path: string
  readonly method: string
  readonly anchor: string
  readonly operation: Row
}
const { resolveRef } = await webModule<{ resolveRef(node: object, api: object): Row }>('docs/resolve-ref.js')
const { typeLabel, constraintsOf } = await webModule<{
  typeLabel(node: object, api: object): string
  constraintsOf(schema: object): string[]
}>('docs/type-label.js')
const { exampleValue } = await webModule<{ exampleValue(media: object, api: object): unknown }>('docs/example-value.js')
const { operationsOf, groupsOf, errorCodes, codesOf } = await webModule<{
  operationsOf(api: object): Entry[]
  groupsOf(api: object): { name: string; operations: Entry[] }[]
  errorCodes(api: object): { code: string; status: string; title: string; paths: string[] }[]
  codesOf(description: string): { code: string; title: string }[]
}>('docs/operations.js')
const { requestSnippet } = await webModule<{
  requestSnippet(entry: Entry, api: object, origin: string, media?: string): string
}>('docs/request-snippet.js')
const { searchText } = await webModule<{ searchText(entry: Entry, api: object): string }>('docs/search-text.js')

const schema = (name: string) => ({ $ref: `#/components/schemas/${name}` })
const entryOf = (path: string) => {
  const found = operationsOf(STUB_OPENAPI).find((entry) => entry.path === path)
  if (found === undefined) throw new Error(path)
  return found
}

describe('resolveRef', () => {
  it('follows references, keeps what stands beside them, and ends on a circle', () => {
    expect(resolveRef({ ...schema('Problem'), description: 'mine' }, STUB_OPENAPI)).toMatchObject({
      type: 'object',
      description: 'mine',
    })
    const circle = { components: { a: { $ref: '#/components/b' }, b: { $ref: '#/components/a' } } }
    expect(() => resolveRef({ $ref: '#/components/a' }, circle)).not.toThrow()
    expect(resolveRef({ $ref: '#/nowhere' }, STUB_OPENAPI)).toEqual({ $ref: '#/nowhere' })
  })
})

describe('typeLabel', () => {
  it.each([
    ['Node[]', { type: 'array', items: schema('Node') }],
    ['(string | null)[]', { type: 'array', items: { anyOf: [{ type: 'string' }, { type: 'null' }] } }],
    ['boolean | object', { anyOf: [{ type: 'boolean' }, { type: 'object' }] }],
    ['record of string', { type: 'object', additionalProperties: { type: 'string' } }],
    ['object', { type: 'object', additionalProperties: {} }],
    ['"list"', { const: 'list' }],
    ['string | null', { type: ['string', 'null'] }],
    ['any', {}],
  ])('is %s', (label, node) => {
    expect(typeLabel(node, STUB_OPENAPI)).toBe(label)
  })

  it('constraintsOf leaves out the bounds that every integer has', () => {
    expect(constraintsOf({ type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER })).toEqual(['≥ 1'])
  })
})

describe('exampleValue', () => {
  it('prefers the given example, else makes one of the required fields', () => {
    expect(exampleValue({ example: 5, schema: schema('Problem') }, STUB_OPENAPI)).toBe(5)
    expect(exampleValue({ schema: schema('Problem') }, STUB_OPENAPI)).toEqual({ code: '…' })
  })

  it('ends on a schema that needs itself', () => {
    const api = {
      components: { schemas: { Loop: { type: 'object', required: ['next'], properties: { next: schema('Loop') } } } },
    }
    expect(() => JSON.stringify(exampleValue({ schema: schema('Loop') }, api))).not.toThrow()
  })
})

describe('operations', () => {
  it('groupsOf keeps the order of the tags', () => {
    expect(
      groupsOf(STUB_OPENAPI).map(({ name, operations }) => [name, operations.map(({ anchor }) => anchor)]),
    ).toEqual([
      ['sessions', ['post-compact']],
      ['operations', ['get-livez']],
    ])
  })

  it('codesOf reads codes and titles of a response', () => {
    expect(codesOf('`a-b`: One thing. `c`: Another.')).toEqual([
      { code: 'a-b', title: 'One thing' },
      { code: 'c', title: 'Another' },
    ])
  })

  it('errorCodes lists each code once, by status', () => {
    expect(errorCodes(STUB_OPENAPI).map(({ status, code }) => `${status} ${code}`)).toEqual([
      '401 unauthorized',
      '422 broken-tree',
      '422 no-entries',
    ])
  })
})

describe('requestSnippet', () => {
  it('is a command that a shell understands, with the key from the environment', () => {
    const text = requestSnippet(entryOf('/compact'), STUB_OPENAPI, 'http://localhost:8080')
    expect(text).toContain('curl -sS http://localhost:8080/compact')
    expect(text).toContain('-H "x-api-key: $RECAPD_KEY"')
    expect(text).toContain(String.raw`it'\''s`)
  })

  it('sends a session file where that is chosen, and no key where none is asked', () => {
    expect(requestSnippet(entryOf('/compact'), STUB_OPENAPI, '', 'application/x-ndjson')).toContain(
      '--data-binary @session.jsonl',
    )
    expect(requestSnippet(entryOf('/livez'), STUB_OPENAPI, 'http://h')).toBe('curl -sS http://h/livez')
  })
})

describe('searchText', () => {
  it('holds path, words, codes and the names of nested fields', () => {
    const text = searchText(entryOf('/compact'), STUB_OPENAPI)
    for (const word of ['/compact', 'broken-tree', 'children', 'protecttokens', 'x-request-timeout-ms', 'threshold'])
      expect(text).toContain(word)
  })
})
