import { existsSync, globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { parse } from 'yaml'
import { withConfigTable } from '../scripts/config-table.ts'
import { configSchema } from '../src/config/schema.ts'
import { httpOptions } from '../src/http/options.ts'
import { PROBLEMS } from '../src/http/plugins/problems.ts'
import { ENDPOINTS } from '../src/requests/endpoints.ts'

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

it('docs/spec/contract.md names every problem code, and no other', () => {
  const codes = codesOf('docs/spec/contract.md', '**Errors**', '## 1.')
  expect([...new Set(codes)].sort()).toEqual(Object.keys(PROBLEMS).sort())
})

it('README.md has every endpoint in its table', () => {
  const page = read('README.md')
  const table = page.slice(page.indexOf('## Endpoints'), page.indexOf('## Errors'))
  expect(Object.values(ENDPOINTS).filter((endpoint) => !table.includes(`${endpoint.path}\``))).toEqual([])
})

const SOURCES = globSync('{src,test,scripts,bench,integrations,examples}/**/*.{ts,js,mjs}', { cwd: root }).filter(
  (file) => !file.includes('fixtures') && !file.endsWith('docs.test.ts'),
)

it('what comments cite of docs/spec is there', () => {
  const sectionsOf = (page: string) =>
    new Set([...read(page).matchAll(/^#{2,3} (\d+[a-z]?)/gm)].map((match) => match[1] ?? ''))
  const broken = SOURCES.flatMap((file) =>
    [...read(file).matchAll(/docs\/spec\/([\w-]+\.md)(?: §(\d+[a-z]?))?/g)]
      .filter(([, page, section]) => {
        if (!existsSync(path.join(root, 'docs/spec', page ?? ''))) return true
        return section !== undefined && !sectionsOf(`docs/spec/${page}`).has(section)
      })
      .map(([cite]) => `${file}: ${cite}`),
  )
  expect(broken).toEqual([])
})

it('comments cite nothing that is not in the repository', () => {
  const FOREIGN =
    /(?<!docs\/spec\/)\b(?:http-api|session-compaction|omp-spec|hermes-spec|models|reading|truth|hostile|production|faces)(?:\.md)? §|(?:\.\.\/shared\/(?:spec|reference))/
  const citing = SOURCES.filter((file) => FOREIGN.test(read(file)))
  expect(citing).toEqual([])
})

it('every number of the bug log that a comment or a title names is in docs/bug-log.md', () => {
  const rows = new Set([...read('docs/bug-log.md').matchAll(/\b[BT]\d{2,3}\b/g)].map(([id]) => id))
  const unknown = SOURCES.flatMap((file) =>
    [...read(file).matchAll(/docs\/bug-log\.md ([BT]\d{2,3})\b/g)]
      .map((match) => match[1] ?? '')
      .filter((id) => !rows.has(id)),
  )
  expect(unknown).toEqual([])
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

it('every file and folder that CONTRIBUTING.md sends somebody to is there', () => {
  const named = [...read('CONTRIBUTING.md').matchAll(/`((?:src|test|docs|prompts)\/[\w./-]*)`/g)].map(
    ([, name]) => name ?? '',
  )
  expect(named.length).toBeGreaterThan(20)
  expect(named.filter((name) => !existsSync(path.join(root, name)))).toEqual([])
})

it('the tree of CONTRIBUTING.md is the one that is there', () => {
  const [, block = ''] = /```\nsrc\/\n([\s\S]*?)```/.exec(read('CONTRIBUTING.md')) ?? []
  let floor = ''
  const named = block.split('\n').flatMap((line) => {
    const [, indent = '', names = ''] = /^( {2,4})((?:[\w-]+\/ ?)+)/.exec(line) ?? []
    const folders = names.split('/').flatMap((name) => (name.trim() === '' ? [] : [name.trim()]))
    if (indent === '  ') floor = folders[0] ?? ''
    return indent === '    ' ? folders.map((name) => `${floor}/${name}`) : folders
  })
  const there = globSync(['src/*/', 'src/*/*/'], { cwd: root }).map((name) => name.replace(/^src\/|\/$/g, ''))
  expect(named.sort()).toEqual(there.sort())
})

it('docs/configuration.md names every member of a key', () => {
  const { element } = httpOptions.auth.unwrap().shape.keys.unwrap()
  expect(
    Object.keys(element.shape).filter((name) => !read('docs/configuration.md').includes(`auth.keys[].${name}`)),
  ).toEqual([])
})

it('every heading that a page links to is there', () => {
  const slugOf = (heading: string) =>
    heading
      .toLowerCase()
      .replace(/[^\w\- ]/g, '')
      .replaceAll(' ', '-')
  const broken = PAGES.flatMap((page) => {
    const slugs = new Set([...read(page).matchAll(/^#{1,4} (.+)$/gm)].map((match) => slugOf(match[1] ?? '')))
    return [...read(page).matchAll(/\]\(#([^)]+)\)/g)]
      .map((match) => match[1] ?? '')
      .filter((slug) => !slugs.has(slug))
      .map((slug) => `${page}: #${slug}`)
  })
  expect(broken).toEqual([])
})

it('every file that a decision or SECURITY.md names is there', () => {
  const gone = ['SECURITY.md', ...globSync('docs/decisions/*.md', { cwd: root })].flatMap((page) =>
    [...read(page).matchAll(/`((?:src|test|docs|scripts|deploy|prompts)\/[\w./-]+\.\w+)`/g)]
      .map((match) => match[1] ?? '')
      .filter((file) => !existsSync(path.join(root, file)))
      .map((file) => `${page}: ${file}`),
  )
  expect(gone).toEqual([])
})

it('docs/README.md leads to every page for readers', () => {
  const index = read('docs/README.md')
  const pages = globSync('{docs/*.md,docs/spec/README.md,deploy/*.md}', { cwd: root }).filter(
    (page) => page !== 'docs/README.md',
  )
  const links = [...index.matchAll(/\]\(([^)]+)\)/g)].map((match) => path.join('docs', match[1] ?? ''))
  const missing = pages.filter((page) => ![page, page.replace('README.md', '')].some((link) => links.includes(link)))
  expect(missing).toEqual([])
})
