import type { z } from 'zod'
import { isRecord } from '../domain/is-record.ts'
import { alternativesOf, type SchemaNode, scalarTypesOf, schemaNode } from '../domain/schema-node.ts'

/** One scalar setting: where it stands in the file and what its environment variable is called. */
export interface Scalar {
  readonly path: readonly string[]
  readonly variable: string
  readonly kind: 'number' | 'boolean' | 'string'
  readonly nullable: boolean
  readonly defaultValue: unknown
  readonly description: string | undefined
}

/** `server.drainDelayMs` → `RECAPD_SERVER_DRAIN_DELAY_MS` (docs/spec/models.md §1). */
function variableName(path: readonly string[]): string {
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
export const scalarsOf = (schema: z.ZodType, value: unknown): Scalar[] => walk(schemaNode(schema), value, [])

function walk(node: SchemaNode, value: unknown, path: readonly string[]): Scalar[] {
  // What can have only one value is not a setting.
  if (node.const !== undefined) return []
  const types = scalarTypesOf(node)
  const type = types.find((name) => name !== 'null')
  if (type !== undefined) {
    const { default: defaultValue, description } = node
    return [
      { path, variable: variableName(path), kind: type, nullable: types.includes('null'), defaultValue, description },
    ]
  }
  const { properties = {}, additionalProperties } = formOf(node, value)
  const members = isRecord(value) ? value : {}
  const named = Object.entries(properties)
  const others = Object.keys(members).map((key) => [key, additionalProperties] as const)
  return [...named, ...others].flatMap(([key, member]) =>
    typeof member === 'object' ? walk(member, members[key], [...path, key]) : [],
  )
}

/** Of several forms the one whose constants the value holds (a provider's `type`), else the first. */
function formOf(node: SchemaNode, value: unknown): SchemaNode {
  const forms = alternativesOf(node)
  const fits = ({ properties = {} }: SchemaNode) =>
    Object.entries(properties).every(
      ([key, member]) =>
        typeof member !== 'object' || member.const === undefined || memberOf(value, key) === member.const,
    )
  return forms.find(fits) ?? forms[0] ?? {}
}

const memberOf = (value: unknown, key: string): unknown => (isRecord(value) ? value[key] : undefined)

/** What a variable's text means for that scalar; a text that fits no number stays a text, for the schema to refuse it by name. */
export function scalarValue(scalar: Scalar, text: string): unknown {
  if (scalar.nullable && (text === '' || text === 'null')) return null
  if (scalar.kind === 'number') return text.trim() !== '' && Number.isFinite(Number(text)) ? Number(text) : text
  if (scalar.kind === 'boolean')
    return /^(true|1|yes|on)$/i.test(text) ? true : /^(false|0|no|off)$/i.test(text) ? false : text
  return text
}
