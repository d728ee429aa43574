import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { parse, parseAllDocuments } from 'yaml'

export const REPOSITORY = path.join(import.meta.dirname, '../../..')

export const inRepository = (...parts: string[]) => path.join(REPOSITORY, ...parts)

export const readText = (...parts: string[]) => readFileSync(inRepository(...parts), 'utf8')

/** A parsed YAML or JSON file; the caller states the shape it is about to check. `merge`: compose files use `<<`. */
export function readYaml<T>(...parts: string[]): T {
  return parse(readText(...parts), { merge: true }) as T
}

export function yamlDocuments<T>(text: string): T[] {
  return parseAllDocuments(text).map((document) => {
    const [error] = document.errors
    if (error !== undefined) throw error
    return document.toJS() as T
  })
}

/**
 * Whether a tool is on this machine, and the words its absence adds to a test's title: a skipped check must be seen, not
 * taken for a passed one.
 */
export function tool(name: string): { missing: boolean; note: string } {
  const missing = spawnSync('sh', ['-c', `command -v ${name}`], { stdio: 'ignore' }).status !== 0
  if (missing) console.warn(`NOT CHECKED HERE: ${name} is not installed, so the tests that need it are skipped`)
  return { missing, note: missing ? ` (SKIPPED: ${name} is not installed)` : '' }
}

/** Runs a tool in the repository; the output of both streams is the failure's message. */
export function run(command: string, args: readonly string[], folder = REPOSITORY): { status: number; output: string } {
  const result = spawnSync(command, args, { cwd: folder, encoding: 'utf8', maxBuffer: 16 * 1024 * 1024 })
  return { status: result.status ?? -1, output: `${result.stdout}${result.stderr}` }
}
