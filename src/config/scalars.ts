import type { z } from 'zod'

/** One scalar setting: where it stands in the file and what its environment variable is called. */
export interface Scalar {
  readonly path: readonly string[]
  readonly variable: string
  readonly kind: 'number' | 'boolean' | 'string'
  readonly nullable: boolean
  readonly defaultValue: unknown
  readonly description: string | undefined
}

interface Definition {
  readonly type: string
  readonly innerType?: z.ZodType
  readonly out?: z.ZodType
  readonly in?: z.ZodType
  readonly shape?: Record<string, z.ZodType>
  readonly valueType?: z.ZodType
  readonly options?: readonly z.ZodType[]
  readonly defaultValue?: unknown
}

const definitionOf = (schema: z.ZodType): Definition => schema.def as unknown as Definition

/** `server.drainDelayMs` → `RECAPD_SERVER_DRAIN_DELAY_MS` (docs/spec/models.md §1). */
export function variableName(path: readonly string[]): string {
  const words = path.map((part) =>
    part
      .replace('MiB', 'Mib')
      .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
      .replace(/[^A-Za-z0-9]+/g, '_'),
  )
  return `RECAPD_${words.join('_').toUpperCase()}`
}

/**
 * Every scalar of the schema. Records (providers, models) have no fixed keys, so theirs are taken from `value`, the file
 * as it was read: what is configured can be overridden, nothing can be invented by a variable's name.
 */
export function scalarsOf(schema: z.ZodType, value: unknown, path: readonly string[] = []): Scalar[] {
  return walk(schema, value, path, { nullable: false, defaultValue: undefined, description: schema.description })
}

interface Seen {
  readonly nullable: boolean
  readonly defaultValue: unknown
  readonly description: string | undefined
}

function walk(schema: z.ZodType, value: unknown, path: readonly string[], seen: Seen): Scalar[] {
  const definition = definitionOf(schema)
  const own = { ...seen, description: schema.description ?? seen.description }
  switch (definition.type) {
    case 'optional':
    case 'prefault':
    case 'default':
    case 'nullable':
      return definition.innerType === undefined
        ? []
        : walk(definition.innerType, value, path, {
            ...own,
            nullable: own.nullable || definition.type === 'nullable',
            defaultValue: definition.type === 'default' ? definition.defaultValue : own.defaultValue,
          })
    case 'pipe': {
      // A preprocessed schema has its rules behind the pipe, a transformed one in front of it.
      const inner = definitionOf(definition.in ?? schema).type === 'transform' ? definition.out : definition.in
      return inner === undefined ? [] : walk(inner, value, path, own)
    }
    case 'object':
      return Object.entries(definition.shape ?? {}).flatMap(([key, field]) =>
        walk(field, memberOf(value, key), [...path, key], {
          nullable: false,
          defaultValue: undefined,
          description: undefined,
        }),
      )
    case 'record':
      return definition.valueType === undefined || typeof value !== 'object' || value === null
        ? []
        : Object.entries(value).flatMap(([key, item]) =>
            walk(definition.valueType as z.ZodType, item, [...path, key], own),
          )
    case 'union': {
      const chosen = definition.options?.find((option) => option.safeParse(value).success) ?? definition.options?.[0]
      return chosen === undefined ? [] : walk(chosen, value, path, own)
    }
    case 'number':
    case 'int':
    case 'boolean':
    case 'string':
    case 'enum':
      return [scalar(definition.type, path, own)]
    default:
      return []
  }
}

function scalar(type: string, path: readonly string[], seen: Seen): Scalar {
  const kind = type === 'boolean' ? 'boolean' : type === 'number' || type === 'int' ? 'number' : 'string'
  return { path, variable: variableName(path), kind, ...seen }
}

function memberOf(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[key] : undefined
}

/** What a variable's text means for that scalar; a text that fits no number stays a text, for the schema to refuse it by name. */
export function scalarValue(scalar: Scalar, text: string): unknown {
  if (scalar.nullable && (text === '' || text === 'null')) return null
  if (scalar.kind === 'number') return text.trim() !== '' && Number.isFinite(Number(text)) ? Number(text) : text
  if (scalar.kind === 'boolean')
    return /^(true|1|yes|on)$/i.test(text) ? true : /^(false|0|no|off)$/i.test(text) ? false : text
  return text
}
