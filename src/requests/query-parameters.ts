import type { z } from 'zod'

interface Definition {
  readonly type: string
  readonly innerType?: z.ZodType
  readonly shape?: Record<string, z.ZodType>
  readonly element?: z.ZodType
  readonly options?: readonly z.ZodType[]
}

const definitionOf = (schema: z.ZodType): Definition => schema.def as unknown as Definition

const MOST_PARTS = 8

const WRAPPERS: ReadonlySet<string> = new Set(['optional', 'nullable', 'default', 'prefault', 'nonoptional'])

/** The schema inside `optional`, `nullable` and `default`. */
function bare(schema: z.ZodType | undefined): z.ZodType | undefined {
  if (schema === undefined) return undefined
  const { type, innerType } = definitionOf(schema)
  return WRAPPERS.has(type) ? bare(innerType) : schema
}

/**
 * The parameters of an ndjson request, which stand in its query: dots reach into objects, repeated keys make lists, and
 * texts become what the schema wants there (an id of digits stays a text). What it does not know stays as it came.
 */
export function queryParameters(
  query: Readonly<Record<string, string | readonly string[]>>,
  schema: z.ZodType,
): Record<string, unknown> {
  const result: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(query)) {
    const path = name.split('.')
    // A key like `__proto__` would reach into every object; no parameter lies deeper than a few.
    if (path.length > MOST_PARTS || path.some((part) => part === '' || part in Object.prototype)) continue
    setAt(result, path, typedValue(value, schemaAt(schema, path)))
  }
  return result
}

function schemaAt(schema: z.ZodType, path: readonly string[]): z.ZodType | undefined {
  let at: z.ZodType | undefined = schema
  for (const part of path) {
    const inside = bare(at)
    if (inside === undefined) return undefined
    const { type, options = [] } = definitionOf(inside)
    const objects = type === 'union' ? options.map(bare) : [inside]
    const shaped = objects.find((option) => option !== undefined && definitionOf(option).shape?.[part] !== undefined)
    at = shaped === undefined ? undefined : definitionOf(shaped).shape?.[part]
  }
  return at
}

function typedValue(value: string | readonly string[], schema: z.ZodType | undefined): unknown {
  const inside = bare(schema)
  const definition = inside === undefined ? undefined : definitionOf(inside)
  if (definition?.type === 'array')
    return (Array.isArray(value) ? value : [value]).map((item: string) => scalarOf(item, definition.element))
  // Of a parameter that is no list the last one wins, as in most query parsers.
  return scalarOf(typeof value === 'string' ? value : (value.at(-1) ?? ''), schema)
}

function scalarOf(text: string, schema: z.ZodType | undefined): unknown {
  const types = schema === undefined ? [] : typesOf(schema)
  if (types.includes('null') && text === 'null') return null
  if (types.includes('boolean') && /^(true|false)$/.test(text)) return text === 'true'
  if (types.includes('number') && /^-?\d+(\.\d+)?$/.test(text)) return Number(text)
  return text
}

function typesOf(schema: z.ZodType): string[] {
  const { type, options = [], innerType } = definitionOf(schema)
  if (type === 'union') return options.flatMap(typesOf)
  if (innerType !== undefined && WRAPPERS.has(type))
    return type === 'nullable' ? ['null', ...typesOf(innerType)] : typesOf(innerType)
  return type === 'int' ? ['number'] : [type]
}

function setAt(target: Record<string, unknown>, path: readonly string[], value: unknown): void {
  const [first = '', ...rest] = path
  if (rest.length === 0) {
    target[first] = value
    return
  }
  const inner = target[first]
  const next =
    typeof inner === 'object' && inner !== null && !Array.isArray(inner) ? (inner as Record<string, unknown>) : {}
  target[first] = next
  setAt(next, rest, value)
}
