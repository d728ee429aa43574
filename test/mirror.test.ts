import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'

const ROOT = path.resolve(import.meta.dirname, '..')
const TESTS = globSync('test/**/*.ts', { cwd: ROOT }).map((file) => file.split(path.sep).join('/'))
/** Not of one source file: the house as a whole, adapters (beside src), attacks on every reader, and what needs a process. */
const ELSEWHERE = /^test\/(?:[^/]+|(?:support|fixtures|integrations|hostile|system)\/.*)$/
/** Tests of a whole folder: recorded sessions, properties, faults reported in public. */
const OF_A_FOLDER = ['corpus', 'invariants', 'bug-log']

it('a test file stands where its source stands, and begins with its name', () => {
  const astray = TESTS.filter((file) => file.endsWith('.test.ts') && !ELSEWHERE.test(file)).filter((file) => {
    const folder = path.join(ROOT, 'src', path.dirname(file).slice('test/'.length))
    if (!existsSync(folder)) return true
    const sources = [...readdirSync(folder).map((name) => name.replace(/\.\w+$/, '')), path.basename(folder)]
    const name = path.basename(file, '.test.ts')
    return !OF_A_FOLDER.includes(name) && !sources.some((source) => name === source || name.startsWith(`${source}-`))
  })
  expect(astray).toEqual([])
})

it('unit tests start no service, no Redis and no browser', () => {
  const PROCESSES = /from '[^']*\/(?:service-process|redis-server|chromium)\.ts'/
  const starting = TESTS.filter(
    (file) => file.endsWith('.test.ts') && !/^test\/(?:system|hostile)\//.test(file),
  ).filter((file) => PROCESSES.test(readFileSync(path.join(ROOT, file), 'utf8')))
  expect(starting).toEqual([])
})

it('one file knows where the corpus lies', () => {
  const knowing = TESTS.filter((file) => readFileSync(path.join(ROOT, file), 'utf8').includes('RECAPD_CORPUS'))
  expect(knowing.sort()).toEqual(['test/mirror.test.ts', 'test/support/corpus.ts', 'test/support/global-setup.ts'])
})

it('there are tests to judge', () => {
  expect(TESTS.length).toBeGreaterThan(150)
})
