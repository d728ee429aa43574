import { z } from 'zod'

export type Json = Record<string, unknown>

export function schemaOf(schema: z.ZodType, io: 'input' | 'output'): Json {
  const { $schema: _dialect, ...json } = z.toJSONSchema(schema, {
    target: 'draft-2020-12',
    io,
    unrepresentable: 'any',
    // Generators take a member with a default for one that is always there; a request need not hold it.
    override({ jsonSchema }) {
      if (io !== 'input' || jsonSchema.default === undefined) return
      const words = [jsonSchema.description, `Default: ${JSON.stringify(jsonSchema.default)}.`]
      jsonSchema.description = words.filter((part) => part !== undefined).join(' ')
      delete jsonSchema.default
    },
  })
  return json
}

/** Schemas under names, so that generated clients have types with names. */
export interface Components {
  readonly schemas: Json
  refer(name: string, schema: z.ZodType, io: 'input' | 'output'): Json
}

export function createComponents(): Components {
  const schemas: Json = {}
  return {
    schemas,
    refer(name, schema, io) {
      const full = `${name.charAt(0).toUpperCase()}${name.slice(1)}${io === 'input' ? 'Request' : 'Result'}`
      schemas[full] ??= schemaOf(schema, io)
      return { $ref: `#/components/schemas/${full}` }
    },
  }
}
