import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const FOLDER = fileURLToPath(new URL('../../src/web', import.meta.url))
const FILES = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }).filter((file) =>
  statSync(path.join(FOLDER, file)).isFile(),
)
const read = (file: string) => readFileSync(path.join(FOLDER, file), 'utf8')
const ending = (...ends: string[]) => FILES.filter((file) => ends.includes(path.extname(file)))
const all = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map((match) => match[1] ?? '')
const ASSET = /^\/assets\/(.+)$/

/** Every module a page loads, found by following its imports. */
function modulesOf(page: string): Set<string> {
  const seen = new Set<string>()
  const todo = all(read(page), /<script[^>]*src="\/assets\/([^"]+)"/g)
  for (let file = todo.pop(); file !== undefined; file = todo.pop()) {
    if (seen.has(file)) continue
    seen.add(file)
    const from = path.dirname(file)
    todo.push(
      ...all(read(file), /^(?:import|export|\}|\/\*\* @import).*from '(\.[^']+\.js)'/gm).map((relative) =>
        path.join(from, relative),
      ),
    )
  }
  return seen
}

it('src/web is checked as strictly as src', () => {
  const { compilerOptions } = JSON.parse(readFileSync(path.join(FOLDER, '../../tsconfig.web.json'), 'utf8')) as {
    compilerOptions: Record<string, unknown>
  }
  const loose = Object.entries(compilerOptions).filter(([, value]) => value === false)
  expect(loose.map(([name]) => name)).toEqual(['rewriteRelativeImportExtensions', 'exactOptionalPropertyTypes'])
})

describe('files of src/web', () => {
  it.each(FILES)('%s is UTF-8 with plain line ends and at most 200 lines', (file) => {
    const bytes = readFileSync(path.join(FOLDER, file))
    expect(() => new TextDecoder('utf-8', { fatal: true }).decode(bytes)).not.toThrow()
    const text = bytes.toString('utf8')
    expect(text).not.toMatch(/[\r\t\uFEFF]/)
    expect(text.split('\n').length).toBeLessThanOrEqual(201)
  })

  it.each(ending('.html', '.js', '.css'))('%s names no address outside of this service', (file) => {
    // A pattern that looks for addresses has no host behind its slashes.
    expect(read(file)).not.toMatch(/(https?:)?\/\/[a-z0-9-]+\.[a-z]/i)
    // In a style sheet; in a script it names types.
    expect(read(file)).not.toMatch(file.endsWith('.js') ? /url\(/ : /@import|url\(/)
  })

  it.each(ending('.js'))('%s turns no text into markup or code, and stores nothing', (file) => {
    expect(read(file)).not.toMatch(
      /innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function|setAttribute\('(style|on)|DOMParser/,
    )
    expect(read(file)).not.toMatch(/localStorage|sessionStorage|indexedDB|document\.cookie|\bcaches\b|serviceWorker/)
  })

  it.each(ending('.js'))('%s is of a browser, and typed throughout', (file) => {
    // The types of Node are there for the shapes of src that are imported; its globals are not.
    expect(read(file)).not.toMatch(/\b(?:process|Buffer|require|__dirname|global)\b[.([]/)
    expect(read(file)).not.toMatch(/@(?:ts-ignore|ts-expect-error|ts-nocheck)|[{<|,:(] ?any\b(?=[\]})>|,])/)
  })

  it('modules and styles are all reachable from a page', () => {
    const used = new Set(['playground.html', 'docs.html'].flatMap((page) => [...modulesOf(page)]))
    const linked = ['playground.html', 'docs.html'].flatMap((page) =>
      all(read(page), /(?:href|src)="\/assets\/([^"]+)"/g),
    )
    expect(ending('.js', '.css', '.svg').filter((file) => !used.has(file) && !linked.includes(file))).toEqual([])
  })
})

describe.each(['playground.html', 'docs.html'])('%s', (page) => {
  const html = read(page)
  const ids = all(html, /\sid="([^"]+)"/g)

  it('has nothing inline that the content security policy would block', () => {
    expect(html).not.toMatch(/<style|\sstyle=|\son[a-z]+=|javascript:/i)
    expect(all(html, /<script([^>]*)>/g).every((attributes) => attributes.includes('src='))).toBe(true)
    expect(html).not.toMatch(/<script[^>]*>[^<]/)
  })

  it('links only to pages and assets that are served', () => {
    const links = all(html, /(?:href|src)="([^"#]+)"/g)
    // Relative, so that a key in the path (`/k/<key>/docs`) goes along.
    const pages = new Set(['./', 'docs', 'openapi.yaml'])
    const missing = links.filter((link) => {
      const asset = ASSET.exec(link)?.[1]
      return asset === undefined ? !pages.has(link) : !existsSync(path.join(FOLDER, asset))
    })
    expect(missing).toEqual([])
  })

  it('has unique ids, and every id that labels, descriptions and scripts name', () => {
    expect(new Set(ids).size).toBe(ids.length)
    const named = [
      ...all(html, /\sfor="([^"]+)"/g),
      ...all(html, /\slist="([^"]+)"/g),
      ...all(html, /aria-describedby="([^"]+)"/g).flatMap((list) => list.split(' ')),
      ...all(html, /data-field="([^"]+)"/g),
      ...all(html, /href="#([^"]+)"/g),
      ...[...modulesOf(page)].flatMap((file) => all(read(file), /byId\('([^']+)'\)/g)),
    ]
    expect(named.filter((id) => !ids.includes(id))).toEqual([])
  })

  it('labels every control and lets browsers remember none of them', () => {
    const labelled = all(html, /\sfor="([^"]+)"/g)
    const controls = [...html.matchAll(/<(?:input|select|textarea)\b[^>]*>/g)].map(([tag]) => tag)
    expect(controls.length).toBeGreaterThan(0)
    const bare = controls.filter((tag) => {
      const id = /\sid="([^"]+)"/.exec(tag)?.[1]
      return !tag.includes('aria-label=') && !labelled.includes(id ?? '')
    })
    expect(bare).toEqual([])
    if (page === 'playground.html') expect(html).toMatch(/<form[^>]*autocomplete="off"/)
  })
})

/** Variables of one scheme: those in front of the dark media query, or those inside it over them. */
function colours(dark: boolean): Record<string, string> {
  const found: Record<string, string> = {}
  for (const css of ['styles/theme.css', 'styles/fates.css'].map(read)) {
    const from = css.indexOf('@media (prefers-color-scheme: dark)')
    const parts = dark ? [css.slice(0, from), css.slice(from)] : [css.slice(0, from)]
    for (const part of parts)
      for (const match of part.matchAll(/--([\w-]+): (#[0-9a-f]{6})/g)) found[match[1] ?? ''] = match[2] ?? ''
  }
  return found
}

/** Relative luminance of WCAG 2. */
function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255
    return value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function contrast(one: string, other: string): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a)
  return (light + 0.05) / (dark + 0.05)
}

describe.each([
  ['light', false],
  ['dark', true],
] as const)('the %s scheme', (_name, dark) => {
  const scheme = colours(dark)
  const INKS = [
    'text',
    'muted',
    'accent',
    'good',
    'warn',
    'bad',
    'summarized',
    'turn-prefix',
    'carried',
    'pruned',
    'clipped',
    'kept',
    'ignored',
    'new',
  ]

  it.each(INKS)('shows %s with a contrast of 4.5:1 on every ground it stands on', (ink) => {
    for (const ground of ['page', 'panel', 'sunk']) {
      expect(contrast(scheme[ink] ?? '', scheme[ground] ?? ''), ground).toBeGreaterThanOrEqual(4.5)
    }
  })

  it('shows buttons, warnings and problems with a contrast of 4.5:1', () => {
    const pairs = [
      ['on-accent', 'accent'],
      ['warn', 'warn-ground'],
      ['bad', 'bad-ground'],
      ['text', 'bad-ground'],
      ['muted', 'bad-ground'],
    ]
    for (const [ink = '', ground = ''] of pairs) {
      expect(contrast(scheme[ink] ?? '', scheme[ground] ?? ''), `${ink} on ${ground}`).toBeGreaterThanOrEqual(4.5)
    }
  })
})
