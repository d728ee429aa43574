import { readdirSync } from 'node:fs'
import path from 'node:path'

/** An exported function of the domain that takes a text, and what it is called. */
export interface Reader {
  readonly name: string
  readonly read: (text: string) => unknown
}

const DOMAIN = path.resolve(import.meta.dirname, '../../src/domain')

/**
 * Every exported function of src/domain that takes one text and does not throw on a plain one. Found, not listed: a new reader
 * is measured from its first day. Those that take more are measured through the endpoints (soak.test.ts).
 */
export async function readers(): Promise<readonly Reader[]> {
  const found: Reader[] = []
  const names = readdirSync(DOMAIN, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'))
  for (const name of names.sort()) {
    const module: Readonly<Record<string, unknown>> = await import(path.join(DOMAIN, name))
    for (const [exported, value] of Object.entries(module)) {
      if (typeof value !== 'function' || value.length !== 1 || /^class /.test(String(value))) continue
      const read = (text: string) => value(text) as unknown
      if (takesText(read)) found.push({ name: `${name} ${exported}`, read })
    }
  }
  return found
}

/** A reader says something else of two different texts, or at least does not refuse them. */
function takesText(read: (text: string) => unknown): boolean {
  try {
    read('Fix src/a.ts, please.\n\n## Goal\n- do it')
    read('')
    return true
  } catch {
    return false
  }
}
