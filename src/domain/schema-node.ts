import { z } from 'zod'

/** One place of a schema, as JSON Schema has it: what a caller may write there. */
export type SchemaNode = z.core.JSONSchema.JSONSchema

/** The scalar types a place takes; a whole number is a number. */
export type ScalarType = 'null' | 'boolean' | 'number' | 'string'

const roots = new WeakMap<z.ZodType, SchemaNode>()

/** The outermost place. Kept for each schema: writing one takes some milliseconds, and requests ask for the same few. */
export function schemaNode(schema: z.ZodType): SchemaNode {
  const known = roots.get(schema)
  if (known !== undefined) return known
  const root = z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    // zod leaves a default out where something is read before it is checked.
    override({ zodSchema: { _zod }, jsonSchema }) {
      if (_zod.def.type === 'default') jsonSchema.default = _zod.def.defaultValue
    },
  })
  roots.set(schema, root)
  return root
}

const isNode = (place: SchemaNode | boolean | undefined): place is SchemaNode => typeof place === 'object'

/** The forms a value may have here, one by one, or the place itself where it has one only. */
export function alternativesOf(node: SchemaNode): readonly SchemaNode[] {
  const options = node.anyOf ?? node.oneOf
  return options === undefined ? [node] : options.filter(isNode).flatMap(alternativesOf)
}

/** The place of a member that the schema names; nothing where it names none. */
export function memberOf(node: SchemaNode, name: string): SchemaNode | undefined {
  for (const { properties = {} } of alternativesOf(node)) {
    const member = Object.hasOwn(properties, name) ? properties[name] : undefined
    if (isNode(member)) return member
  }
  return undefined
}

/** The place of every item of a list; nothing where it is not a list. */
export function itemOf(node: SchemaNode): SchemaNode | undefined {
  const lists = alternativesOf(node).map(({ items }) => (Array.isArray(items) ? undefined : items))
  return lists.find(isNode)
}

export const scalarTypesOf = (node: SchemaNode): readonly ScalarType[] =>
  alternativesOf(node)
    .flatMap(({ type = [] }) => type)
    .flatMap((type) => (type === 'object' || type === 'array' ? [] : type === 'integer' ? 'number' : type))
