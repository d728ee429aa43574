import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'

const SRC = path.resolve(import.meta.dirname, '../src')
const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => ({ name: name.split(path.sep).join('/'), text: readFileSync(path.join(SRC, name), 'utf8') }))

/** The floors, lowest first; `process` is what stands directly in src (main, config, …) and src/config. */
const FLOORS = ['domain', 'models', 'pipelines', 'offload', 'http', 'process']
const floorOf = (name: string): string => {
  const top = name.split('/')[0] ?? ''
  return FLOORS.includes(top) ? top : 'process'
}
/** Leaves of the process floor that anybody may read: loading prompts, and the types hook authors write against. */
const OPEN_TO_ALL = new Set(['prompts.ts', 'hooks.ts'])

function importsOf({ name, text }: { name: string; text: string }): string[] {
  const specifiers = [
    ...text.matchAll(/^(?:import|export)\s(?:[^'()=]*?from\s)?'([^']+)'|\bimport\('([^']+)'\)/gm),
  ].map((match) => match[1] ?? match[2] ?? '')
  return specifiers.map((specifier) =>
    specifier.startsWith('.') ? path.posix.join(path.posix.dirname(name), specifier) : specifier,
  )
}

/** The text without comments and string literals, where words mean nothing. */
const codeOf = (text: string): string =>
  text.replace(/\/\*[\s\S]*?\*\/|\/\/.*$|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`/gm, '')

const offences = (judge: (file: { name: string; text: string }) => string[]): string[] =>
  files.flatMap((file) => judge(file).map((offence) => `${file.name}: ${offence}`))

it('imports go down only', () => {
  const up = offences((file) =>
    importsOf(file).filter(
      (target) =>
        target.endsWith('.ts') &&
        !OPEN_TO_ALL.has(target) &&
        FLOORS.indexOf(floorOf(target)) > FLOORS.indexOf(floorOf(file.name)),
    ),
  )
  expect(up).toEqual([])
})

it('the domain imports zod and itself, and does nothing but compute', () => {
  const impure = offences((file) => {
    if (floorOf(file.name) !== 'domain') return []
    const foreign = importsOf(file).filter((target) => target !== 'zod' && floorOf(target) !== 'domain')
    const effects = [
      ...codeOf(file.text).matchAll(/\bawait\b|Date\.now|Math\.random|\bprocess\.|console\.|new Date\(\)/g),
    ].map((match) => match[0])
    return [...foreign, ...effects]
  })
  expect(impure).toEqual([])
})

it('only http knows Fastify', () => {
  const knowing = offences((file) =>
    ['http', 'process'].includes(floorOf(file.name)) ? [] : importsOf(file).filter((target) => /fastify/.test(target)),
  )
  expect(knowing).toEqual([])
})

it('only http/problems.ts turns an error into a status code', () => {
  const knowing = offences((file) =>
    file.name.startsWith('http/')
      ? []
      : [...file.text.matchAll(/\bstatusCode\s*[:=]\s*\d{3}|\.code\(\d{3}\)/g)].map((match) => match[0]),
  )
  expect(knowing).toEqual([])
})

it('no file is longer than 200 lines', () => {
  const long = files
    .filter(({ text }) => text.split('\n').length > 201)
    .map(({ name, text }) => `${name}: ${text.split('\n').length - 1}`)
  expect(long).toEqual([])
})

it('no barrel, no default export, no name that says nothing', () => {
  const empty = /(^|\/)(index|utils?|helpers?|common|misc|manager|service)\.ts$/
  const wrong = offences(({ name, text }) => [
    ...(empty.test(name) ? ['its name says nothing'] : []),
    ...(/^export default/m.test(text) ? ['default export'] : []),
    ...(/^export \* from/m.test(text) ? ['barrel'] : []),
  ])
  expect(wrong).toEqual([])
})

it('there are files to judge', () => {
  expect(files.length).toBeGreaterThan(50)
})
