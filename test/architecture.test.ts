import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'

const SRC = path.resolve(import.meta.dirname, '../src')
const sources = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.[tj]s$/.test(name))
  .map((name) => ({ name: name.split(path.sep).join('/'), text: readFileSync(path.join(SRC, name), 'utf8') }))
const files = sources.filter(({ name }) => name.endsWith('.ts'))

/**
 * The floors, lowest first. `prompts` (templates read once) and `config` are leaves that the process hands down; hooks are
 * called by pipelines; a request is read, executed and joined by requests, in the process or in one of its workers.
 */
const FLOORS = [
  'domain',
  'models',
  'hooks',
  'pipelines',
  'prompts',
  'requests',
  'workers',
  'jobs',
  'http',
  'config',
  'process',
  'main.ts',
]
const floorOf = (name: string): string => name.split('/')[0] ?? ''

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

const offences = (judge: (file: { name: string; text: string }) => string[], among = files): string[] =>
  among.flatMap((file) => judge(file).map((offence) => `${file.name}: ${offence}`))

it('imports go down only', () => {
  const up = offences((file) =>
    importsOf(file).filter(
      (target) => target.endsWith('.ts') && FLOORS.indexOf(floorOf(target)) > FLOORS.indexOf(floorOf(file.name)),
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
    ['http', 'config', 'process'].includes(floorOf(file.name))
      ? []
      : importsOf(file).filter((target) => /fastify/.test(target)),
  )
  expect(knowing).toEqual([])
})

it('only http/plugins/problems.ts turns an error into a status code', () => {
  const knowing = offences((file) =>
    file.name.startsWith('http/')
      ? []
      : [...file.text.matchAll(/\bstatusCode\s*[:=]\s*\d{3}|\.code\(\d{3}\)/g)].map((match) => match[0]),
  )
  expect(knowing).toEqual([])
})

it('every folder stands on a floor', () => {
  expect([...new Set(files.map((file) => floorOf(file.name)))].filter((floor) => !FLOORS.includes(floor))).toEqual([])
})

it('no two folders of the second level import each other', () => {
  // A file that lies in a floor itself is in no folder of the second level.
  const folderOf = (name: string) => /^[^/]+\/[^/]+(?=\/)/.exec(name)?.[0]
  const edges = new Set(
    files.flatMap((file) =>
      importsOf(file)
        .filter((target) => target.endsWith('.ts') && folderOf(target) !== folderOf(file.name))
        .map((target) => `${folderOf(file.name)} > ${folderOf(target)}`),
    ),
  )
  const isTwoWay = (edge: string) => edges.has(edge.split(' > ').reverse().join(' > '))
  expect([...edges].filter((edge) => !edge.includes('undefined') && isTwoWay(edge))).toEqual([])
})

it('no files import each other in a circle', () => {
  const left = new Map(files.map((file) => [file.name, importsOf(file).filter((target) => target.endsWith('.ts'))]))
  // What imports nothing that is left, or is imported by nothing that is left, is in no circle.
  const isFree = (name: string) =>
    !left.get(name)?.some((target) => left.has(target)) || ![...left.values()].some((targets) => targets.includes(name))
  const goes = () => [...left.keys()].filter(isFree)
  for (let free = goes(); free.length > 0; free = goes()) for (const name of free) left.delete(name)
  expect([...left.keys()]).toEqual([])
})

it('no folder holds more than 20 files', () => {
  const sizes = new Map<string, number>()
  for (const { name } of sources) sizes.set(path.posix.dirname(name), (sizes.get(path.posix.dirname(name)) ?? 0) + 1)
  expect([...sizes].filter(([, size]) => size > 20)).toEqual([])
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

it('an exported name means one thing', () => {
  const homes = new Map<string, string[]>()
  for (const { name, text } of files)
    for (const [, exported = ''] of text.matchAll(
      /^export (?:async )?(?:function\*?|const|let|class|type|interface) (\w+)/gm,
    ))
      homes.set(exported, [...(homes.get(exported)?.filter((home) => home !== name) ?? []), name])
  expect([...homes].filter(([, where]) => where.length > 1)).toEqual([])
})

it('a field without a value is undefined, and not spread conditionally', () => {
  // `x?: T | undefined` is written once and passed on; where a field without a value would be seen, domain/defined.ts takes it out.
  const SPREAD = /\.\.\.\((?:[^()]|\([^()]*\))*\?\s*(?:\{\}\s*:|\{(?:[^{}]|\{[^{}]*\})*\}\s*:\s*\{\})/g
  const spreads = ({ text }: { text: string }) => [...codeOf(text).matchAll(SPREAD)].map(([spread]) => spread)
  expect(offences(spreads, sources)).toEqual([])
})

/** Names of the parameters of every named function of a text, by its name. */
function parametersOf(text: string): readonly (readonly [name: string, parameters: readonly string[]])[] {
  const code = codeOf(text)
  return [...code.matchAll(/\bfunction\*? (\w+)(?:<[^(]*>)?\(|\bconst (\w+) = (?:async )?\(/g)].flatMap((match) => {
    const parameters = ['']
    let depth = 0
    let at = match.index + match[0].length
    for (; at < code.length && !(depth === 0 && code[at] === ')'); at += 1) {
      const char = code.charAt(at)
      if ('([{<'.includes(char)) depth += 1
      else if (')]}'.includes(char) || (char === '>' && code[at - 1] !== '=')) depth -= 1
      if (char === ',' && depth === 0) parameters.push('')
      else parameters.push(`${parameters.pop()}${char}`)
    }
    // `const x = (…)` may be no function at all.
    if (match[2] !== undefined && !/^\)\s*(?::|=>)/.test(code.slice(at))) return []
    const names = parameters.map((one) => one.trim().split(/[:=?]/)[0]?.trim() ?? '').filter((name) => name !== '')
    return [[match[1] ?? match[2] ?? '', names]]
  })
}

it('a function takes at most three parameters by their place, and the signal last', () => {
  const wrong = offences(({ text }) =>
    parametersOf(text)
      // What a replaced pattern gives is not ours to choose.
      .filter(([name]) => !['maskHeader', 'maskUserinfo'].includes(name))
      .filter(
        ([, names]) =>
          names.filter((name) => name !== 'signal').length > 3 ||
          (names.indexOf('signal') >= 0 && names.at(-1) !== 'signal'),
      )
      .map(([name, names]) => `${name}(${names.join(', ')})`),
  )
  expect(wrong).toEqual([])
  expect(files.flatMap(({ text }) => parametersOf(text)).length).toBeGreaterThan(1_000)
})

it("no value of node:http is imported: the import would load Node's own undici", () => {
  const importing = files
    .filter(({ text }) => /^import (?!type\b)(?!\{\s*type [^,}]*\}).*from 'node:https?'/m.test(text))
    .map(({ name }) => name)
  expect(importing).toEqual([])
})
