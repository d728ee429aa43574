import type { z } from 'zod'
import { itemOf, memberOf, type SchemaNode, scalarTypesOf, schemaNode } from '../domain/schema-node.ts'
import { setAt } from '../domain/set-at.ts'

const MOST_PARTS = 8

/**
 * The parameters of an ndjson request, which stand in its query: dots reach into objects, repeated keys make lists, and
 * texts become what the schema wants there (an id of digits stays a text). What it does not know stays as it came.
 */
export function queryParameters(
  query: Readonly<Record<string, string | readonly string[]>>,
  schema: z.ZodType,
): Record<string, unknown> {
  const root = schemaNode(schema)
  const result: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(query)) {
    const path = name.split('.')
    // A key like `__proto__` would reach into every object; no parameter lies deeper than a few.
    if (path.length > MOST_PARTS || path.some((part) => part === '' || part in Object.prototype)) continue
    setAt(result, path, typedValue(value, nodeAt(root, path)))
  }
  return result
}

function nodeAt(root: SchemaNode, path: readonly string[]): SchemaNode | undefined {
  let at: SchemaNode | undefined = root
  for (const part of path) at = at === undefined ? undefined : memberOf(at, part)
  return at
}

function typedValue(value: string | readonly string[], node: SchemaNode | undefined): unknown {
  const item = node === undefined ? undefined : itemOf(node)
  if (item !== undefined) return [value].flat().map((text) => scalarOf(text, item))
  // Of a parameter that is not a list the last one wins, as in most query parsers.
  return scalarOf(typeof value === 'string' ? value : (value.at(-1) ?? ''), node)
}

function scalarOf(text: string, node: SchemaNode | undefined): unknown {
  const types = node === undefined ? [] : scalarTypesOf(node)
  if (types.includes('null') && text === 'null') return null
  if (types.includes('boolean') && /^(true|false)$/.test(text)) return text === 'true'
  if (types.includes('number') && /^-?\d+(\.\d+)?$/.test(text)) return Number(text)
  return text
}
