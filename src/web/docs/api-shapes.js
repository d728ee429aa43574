/**
 * The parts of an OpenAPI document that the page reads; everything may be missing, and a `$ref` may stand for any of them.
 * @typedef {{
 *   readonly $ref?: string, readonly title?: string, readonly description?: string, readonly deprecated?: boolean,
 *   readonly type?: string | readonly string[], readonly format?: string, readonly pattern?: string,
 *   readonly const?: unknown, readonly enum?: readonly unknown[], readonly default?: unknown,
 *   readonly example?: unknown, readonly examples?: readonly unknown[],
 *   readonly properties?: Readonly<Record<string, Schema>>, readonly required?: readonly string[], readonly items?: Schema,
 *   readonly additionalProperties?: Schema | boolean,
 *   readonly oneOf?: readonly Schema[], readonly anyOf?: readonly Schema[], readonly allOf?: readonly Schema[],
 *   readonly minimum?: number, readonly exclusiveMinimum?: number, readonly maximum?: number,
 *   readonly exclusiveMaximum?: number, readonly minLength?: number, readonly maxLength?: number,
 *   readonly minItems?: number, readonly maxItems?: number,
 * }} Schema
 *
 * @typedef {{
 *   readonly schema?: Schema, readonly example?: unknown,
 *   readonly examples?: Readonly<Record<string, { readonly value?: unknown }>>,
 * }} Media
 *
 * @typedef {{
 *   readonly $ref?: string, readonly name?: string, readonly in?: string, readonly required?: boolean,
 *   readonly description?: string, readonly schema?: Schema,
 * }} Parameter
 *
 * @typedef {{
 *   readonly $ref?: string, readonly description?: string, readonly headers?: Readonly<Record<string, Parameter>>,
 *   readonly content?: Readonly<Record<string, Media>>,
 * }} Body
 *
 * @typedef {{
 *   readonly summary?: string, readonly description?: string, readonly tags?: readonly string[],
 *   readonly security?: readonly object[], readonly parameters?: readonly Parameter[], readonly requestBody?: Body,
 *   readonly responses?: Readonly<Record<string, Body>>,
 * }} Operation
 *
 * @typedef {'get' | 'post' | 'put' | 'patch' | 'delete'} Method
 * @typedef {Readonly<Partial<Record<Method, Operation>>> & { readonly parameters?: readonly Parameter[] }} PathItem
 * @typedef {{ readonly name: string, readonly description?: string }} Tag
 *
 * @typedef {{
 *   readonly info?: { readonly title?: string, readonly summary?: string, readonly description?: string, readonly version?: string },
 *   readonly paths?: Readonly<Record<string, PathItem>>, readonly tags?: readonly Tag[],
 *   readonly security?: readonly object[], readonly components?: object,
 * }} Api
 *
 * One operation with its place; parameters of its path are among its own.
 * @typedef {{
 *   readonly path: string, readonly method: Method, readonly anchor: string,
 *   readonly operation: Operation & { readonly parameters: readonly Parameter[] },
 * }} Entry
 */
