import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { check } from 'recheck'
import { expect, it } from 'vitest'
import recheckPackage from '../../node_modules/recheck/package.json' with { type: 'json' }
import { type SourcePattern, sourcePatterns } from './source-patterns.ts'

/** Patterns found safe, remembered beside the packages: the same pattern is not judged again by the same recheck. Faults never are. */
const CACHE = path.resolve(import.meta.dirname, `../../node_modules/.cache/recheck-${recheckPackage.version}-safe.json`)
const TIMEOUT_MS = 10_000
const AT_ONCE = 2
/** What two at once could not judge on a busy machine gets a second look, alone. */
const SECOND_LOOK_MS = 60_000

/**
 * docs/spec/hostile.md §1: no pattern may cost more than its text is long. What recheck calls vulnerable, or cannot judge in time, needs
 * a bound on its input, written beside it: `// bounded: <what, and how long at most>`.
 */
it('every regular expression of src is linear, or says how short its input is', { timeout: 1_800_000 }, async () => {
  const patterns = (await sourcePatterns()).filter(({ bound }) => bound === undefined)
  expect(patterns.length).toBeGreaterThan(200)
  const safe = rememberedSafe()
  const asked = patterns.filter((pattern) => !safe.has(keyOf(pattern)))
  const verdicts = new Map<SourcePattern, string>()
  const queue = [...asked]
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (let next = queue.pop(); next !== undefined; next = queue.pop())
        verdicts.set(next, await verdictOf(next, TIMEOUT_MS))
    }),
  )
  for (const [pattern, verdict] of verdicts)
    if (verdict === TIMED_OUT) verdicts.set(pattern, await verdictOf(pattern, SECOND_LOOK_MS))
  const found = asked.filter((pattern) => verdicts.get(pattern) === 'safe').map(keyOf)
  mkdirSync(path.dirname(CACHE), { recursive: true })
  writeFileSync(CACHE, JSON.stringify([...safe, ...found]))
  const faults = asked
    .filter((pattern) => verdicts.get(pattern) !== 'safe')
    .map((pattern) => `${pattern.at}: ${verdicts.get(pattern)}: /${pattern.source.slice(0, 120)}/${pattern.flags}`)
  expect(faults).toEqual([])
})

const TIMED_OUT = 'not judged (timeout)'

const keyOf = ({ source, flags }: SourcePattern): string => `/${source}/${flags}`

const rememberedSafe = (): ReadonlySet<string> =>
  new Set<string>(existsSync(CACHE) ? JSON.parse(readFileSync(CACHE, 'utf8')) : [])

const HURTS_MS = 20
/** A long attack takes its time also where each of its characters costs no more than a hundred looks. */
const HURTS_NS_A_CHARACTER = 1_000
const LOOKS = 5

/**
 * True where the pattern takes long over an attack that the fuzzer says costs it millions of steps. The shortest of several looks counts:
 * the first one compiles the pattern, and a busy machine may stand still during any of them.
 */
function hurts(pattern: RegExp, attack: string): boolean {
  const looks = Array.from({ length: LOOKS }, () => {
    const startedAt = performance.now()
    pattern.lastIndex = 0
    pattern.test(attack)
    return performance.now() - startedAt
  })
  const ms = Math.min(...looks)
  return ms > HURTS_MS && (ms * 1e6) / attack.length > HURTS_NS_A_CHARACTER
}

/** `safe`, or what is wrong. */
async function verdictOf({ source, flags }: SourcePattern, timeout: number): Promise<string> {
  const verdict = await check(source, flags.replace('v', 'u').replace('d', ''), { timeout, randomSeed: 0 })
  if (verdict.status === 'vulnerable') {
    // The fuzzer counts steps within a time, so a busy machine changes what it says: its attack has to hurt the real engine.
    const isReal = verdict.checker !== 'fuzz' || hurts(new RegExp(source, flags), verdict.attack.string)
    return isReal ? verdict.complexity.summary : 'safe'
  }
  return verdict.status === 'safe' ? 'safe' : `not judged (${verdict.error.kind})`
}
