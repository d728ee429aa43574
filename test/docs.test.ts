import { existsSync, globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { parse } from 'yaml'
import { withConfigTable } from '../scripts/config-table.ts'
import { configSchema } from '../src/config/schema.ts'
import { PROBLEMS } from '../src/http/plugins/problems.ts'

const root = path.resolve(import.meta.dirname, '..')
const read = (name: string) => readFileSync(path.join(root, name), 'utf8')
const PAGES = globSync('{*.md,docs/**/*.md,deploy/**/*.md,integrations/*/README.md,integrations/README.md}', {
  cwd: root,
})

it('docs/configuration.md has the table that the schema generates (npm run config-table writes it)', () => {
  const page = read('docs/configuration.md')
  expect(withConfigTable(page)).toBe(page)
})

it('docs/configuration.md shows an example that fits the schema', () => {
  const yaml = /```yaml\n([\s\S]*?)```/.exec(read('docs/configuration.md'))?.[1]
  const text = yaml?.replaceAll('<hex sha256 of the key>', 'a'.repeat(64)).replaceAll('${REDIS_URL:-}', '') ?? ''
  expect(configSchema.safeParse(parse(text)).error?.issues).toBeUndefined()
})

/** The codes in the error table of a page. */
function codesOf(name: string, from: string, to: string): readonly string[] {
  const page = read(name)
  const rows = page
    .slice(page.indexOf(from), page.indexOf(to))
    .split('\n')
    .filter((line) => /^\| \d/.test(line))
  const words = rows.flatMap((row) => [...row.matchAll(/`([a-z]+(?:-[a-z]+)*)`/g)].map((match) => match[1] ?? ''))
  return words.filter((word) => !['retry-after', 'allow', 'errors'].includes(word))
}

it('README.md names no problem code that there is not', () => {
  const codes = codesOf('README.md', '## Errors', '## More')
  expect(codes.length).toBeGreaterThan(10)
  expect(codes.filter((code) => !Object.hasOwn(PROBLEMS, code))).toEqual([])
})

it('docs/spec/contract.md names every problem code', () => {
  const codes = codesOf('docs/spec/contract.md', '**Errors**', '## 1.')
  expect(Object.keys(PROBLEMS).filter((code) => !codes.includes(code))).toEqual([])
})

it('every file that a page links to is there', () => {
  expect(PAGES.length).toBeGreaterThan(20)
  const broken = PAGES.flatMap((page) =>
    [...read(page).matchAll(/\]\(([^)#:\s]+)(?:#[^)]*)?\)/g)]
      .map((match) => path.join(path.dirname(page), match[1] ?? ''))
      .filter((link) => !existsSync(path.join(root, link)))
      .map((link) => `${page}: ${link}`),
  )
  expect(broken).toEqual([])
})
