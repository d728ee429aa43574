import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { parseAst } from 'vitest/node'

/** An exported function that takes a text, and what it is called. */
export interface Reader {
  readonly name: string
  readonly read: (text: string) => unknown
}

const SRC = path.resolve(import.meta.dirname, '../../src')
/** Where texts of others are read; what stands above hands them on. */
const ROOMS = ['domain', 'models', 'requests', 'workers', 'pipelines', 'http']
/** Threads end when they are imported. */
const UNIMPORTABLE = 'workers/worker.ts'

/**
 * Every exported function of these rooms whose first parameter is a text and that needs no other. Found, not listed: a new
 * reader is measured from its first day. Those that take more are measured through the endpoints (soak.test.ts).
 */
export async function readers(): Promise<readonly Reader[]> {
  const found: Reader[] = []
  const files = ROOMS.flatMap((room) =>
    readdirSync(path.join(SRC, room), { recursive: true, encoding: 'utf8' }).map((name) => path.posix.join(room, name)),
  ).filter((name) => name.endsWith('.ts') && name !== UNIMPORTABLE)
  for (const file of files.sort()) {
    const names = textReadersOf(readFileSync(path.join(SRC, file), 'utf8'))
    if (names.length === 0) continue
    const module: Readonly<Record<string, unknown>> = await import(path.join(SRC, file))
    for (const name of names) {
      const value = module[name]
      if (typeof value === 'function') found.push({ name: `${file} ${name}`, read: (text) => value(text) as unknown })
    }
  }
  return found
}

interface Node {
  readonly type: string
  readonly [member: string]: unknown
}

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value
const nodes = (value: unknown): readonly Node[] => (Array.isArray(value) ? value.filter(isNode) : [])

/** Names of the exported functions of a module that can be called with one text. */
function textReadersOf(source: string): readonly string[] {
  const program: unknown = parseAst(source, { lang: 'ts' })
  const body = isNode(program) ? nodes(program['body']) : []
  return body.flatMap((statement) => {
    const declared = statement.type === 'ExportNamedDeclaration' ? statement['declaration'] : undefined
    if (!isNode(declared)) return []
    if (declared.type === 'FunctionDeclaration') return takesText(declared) ? [nameOf(declared)] : []
    return nodes(declared['declarations'])
      .filter((each) => takesText(each['init']))
      .map(nameOf)
  })
}

function takesText(value: unknown): boolean {
  if (!isNode(value)) return false
  const [first, ...others] = nodes(value['params'])
  return first !== undefined && typeOf(first) === 'TSStringKeyword' && others.every(isOptional)
}

const isOptional = (parameter: Node): boolean =>
  parameter.type === 'AssignmentPattern' || parameter['optional'] === true

function typeOf({ typeAnnotation }: Node): string | undefined {
  if (!isNode(typeAnnotation)) return undefined
  const inner = typeAnnotation['typeAnnotation']
  return isNode(inner) ? inner.type : undefined
}

const nameOf = ({ id }: Node): string => (isNode(id) ? String(id['name']) : '')
