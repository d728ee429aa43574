import type { z } from 'zod'

interface Definition {
  readonly type: string
  readonly innerType?: z.ZodType
  readonly shape?: Record<string, z.ZodType>
  readonly element?: z.ZodType
  readonly options?: readonly z.ZodType[]
}

const definitionOf = (schema: z.ZodType): Definition => schema.def as unknown as Definition

/** The schema inside `optional`, `nullable` and `default`. */
function bare(schema: z.ZodType | undefined): z.ZodType | undefined {
  if (schema === undefined) return undefined
  const { type, innerType } = definitionOf(schema)
  const wraps = ['optional', 'nullable', 'default', 'prefault', 'nonoptional'].includes(type)
  return wraps ? bare(innerType) : schema
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
    // A key like `__proto__` would reach into every object.
    if (path.some((part) => part === '' || part in Object.prototype)) continue
    setAt(result, path, typedValue(value, schemaAt(schema, path)))
  }
  return result
}

function schemaAt(schema: z.ZodType, path: readonly string[]): z.ZodType | undefined {
  let at = bare(schema)
  for (const part of path) {
    if (at === undefined) return undefined
    const objects = definitionOf(at).type === 'union' ? (definitionOf(at).options ?? []).map(bare) : [at]
    const shaped = objects.find((option) => option !== undefined && definitionOf(option).shape?.[part] !== undefined)
    at = bare(shaped === undefined ? undefined : definitionOf(shaped).shape?.[part])
  }
  return at
}

function typedValue(value: string | readonly string[], schema: z.ZodType | undefined): unknown {
  const definition = schema === undefined ? undefined : definitionOf(schema)
  if (definition?.type === 'array')
    return (Array.isArray(value) ? value : [value]).map((item: string) => scalarOf(item, bare(definition.element)))
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
  const { type, options = [] } = definitionOf(schema)
  if (type === 'union') return options.flatMap((option) => typesOf(bare(option) ?? option))
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
