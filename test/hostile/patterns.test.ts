import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { check } from 'recheck'
import { expect, it } from 'vitest'
import recheckPackage from '../../node_modules/recheck/package.json' with { type: 'json' }
import { type SourcePattern, sourcePatterns } from './source-patterns.ts'

/** Verdicts are remembered beside the packages: a pattern that has not changed is not judged again. */
const CACHE = path.resolve(import.meta.dirname, `../../node_modules/.cache/recheck-${recheckPackage.version}.json`)
const TIMEOUT_MS = 20_000
const AT_ONCE = 2

/**
 * docs/spec/hostile.md §1: no pattern may cost more than its text is long. What recheck calls vulnerable, or cannot judge in time, needs
 * a bound on its input, written beside it: `// bounded: <what, and how long at most>`.
 */
it('every regular expression of src is linear, or says how short its input is', { timeout: 900_000 }, async () => {
  const patterns = (await sourcePatterns()).filter(({ bound }) => bound === undefined)
  expect(patterns.length).toBeGreaterThan(200)
  const known: Record<string, string> = existsSync(CACHE) ? JSON.parse(readFileSync(CACHE, 'utf8')) : {}
  const queue = patterns.filter((pattern) => known[keyOf(pattern)] === undefined)
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (let next = queue.pop(); next !== undefined; next = queue.pop()) known[keyOf(next)] = await verdictOf(next)
    }),
  )
  mkdirSync(path.dirname(CACHE), { recursive: true })
  writeFileSync(CACHE, JSON.stringify(known))
  const faults = patterns
    .filter((pattern) => known[keyOf(pattern)] !== 'safe')
    .map((pattern) => `${pattern.at}: ${known[keyOf(pattern)]}: /${pattern.source.slice(0, 120)}/${pattern.flags}`)
  expect(faults).toEqual([])
})

const keyOf = ({ source, flags }: SourcePattern): string => `/${source}/${flags}`

/** `safe`, or what is wrong. */
async function verdictOf({ source, flags }: SourcePattern): Promise<string> {
  const verdict = await check(source, flags.replace('v', 'u').replace('d', ''), { timeout: TIMEOUT_MS })
  if (verdict.status === 'vulnerable') return verdict.complexity.summary
  return verdict.status === 'safe' ? 'safe' : `not judged (${verdict.error.kind})`
}
