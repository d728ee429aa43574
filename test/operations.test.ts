import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { parse } from 'yaml'
import { outcome } from '../src/domain/attempt-row.ts'
import { createProxyMetrics } from '../src/http/faces/proxy/proxy-metrics.ts'
import { createMetrics } from '../src/http/metrics.ts'

const root = path.resolve(import.meta.dirname, '..')
const read = (name: string) => readFileSync(path.join(root, name), 'utf8')
const operations = read('docs/operations.md')

it('docs/operations.md names every metric, and none that there is not', async () => {
  const { registry } = createMetrics()
  createProxyMetrics(registry)
  const ours = registry
    .getMetricsAsArray()
    .map(({ name }) => name)
    .filter((name) => name.startsWith('recapd_'))
  const named = [...operations.matchAll(/`(recapd_\w+)/g)].map((match) => match[1] ?? '')
  expect(ours.length).toBeGreaterThan(35)
  expect([...new Set(named)].sort()).toEqual(ours.sort())
})

it('docs/operations.md gives each metric its labels', () => {
  const { registry } = createMetrics()
  createProxyMetrics(registry)
  const wrong = registry.getMetricsAsArray().flatMap((metric) => {
    const labels = 'labelNames' in metric ? (metric.labelNames as readonly string[]) : []
    const shown = `\`${metric.name}${labels.length === 0 ? '' : `{${labels.join(',')}}`}\``
    return !metric.name.startsWith('recapd_') || operations.includes(shown) ? [] : [shown]
  })
  expect(wrong).toEqual([])
})

it('docs/operations.md has a row for every alert, and for none that there is not', () => {
  const rules = parse(read('deploy/prometheus/recapd.rules.yml')) as {
    groups: { rules: { alert: string; labels: { severity: string } }[] }[]
  }
  const wanted = rules.groups.flatMap((group) => group.rules.map(({ alert, labels }) => `${alert} ${labels.severity}`))
  const rows = [...operations.matchAll(/^\| `(Recapd\w+)` \| (\w+) \| \S/gm)].map(
    ([, name, level]) => `${name} ${level}`,
  )
  expect(rows.sort()).toEqual(wanted.sort())
})

it('docs/operations.md has a row for every outcome of an attempt and every check of /readyz', () => {
  const words = [...outcome.options, ...read('src/http/routes/health.ts').matchAll(/^ {6}(\w+): .+,$/gm)].map((word) =>
    typeof word === 'string' ? word : (word[1] ?? ''),
  )
  expect(words).toContain('workers')
  const named = new Set(
    operations
      .split('\n')
      .flatMap((line) => [...(/^\| (.+?) \|/.exec(line)?.[1] ?? '').matchAll(/`(\w+)`/g)].map((match) => match[1])),
  )
  expect(words.filter((word) => !named.has(word))).toEqual([])
})

/** What a call of the logger or of `warn` says: the last text in its brackets, up to what is filled in. */
function saidIn(text: string): readonly string[] {
  const calls = [...text.matchAll(/\b(?:log\.(?:fatal|error|warn|info)|this\.#complain)\(/g)].map(
    ({ 0: call, index }) => {
      let depth = 1
      let end = index + call.length
      for (; depth > 0 && end < text.length; end += 1) depth += { '(': 1, ')': -1 }[text[end] ?? ''] ?? 0
      return text.slice(index + call.length, end)
    },
  )
  return calls.flatMap((call) => {
    const last = [...call.matchAll(/'([^'\n]{4,})'|`([^`\n]{4,})`/g)].at(-1)
    const parts = (last?.[1] ?? last?.[2] ?? '').split(/\$\{.*?\}(?=[^}]|$)/)
    const longest = parts.toSorted((a, b) => b.length - a.length)[0]?.trim() ?? ''
    return longest.length < 4 ? [] : [longest]
  })
}

it('docs/operations.md tells what to do about every line of the log', () => {
  const said = globSync('src/**/*.ts', { cwd: root }).flatMap((file) => saidIn(read(file)))
  expect(said.length).toBeGreaterThan(12)
  expect(said.filter((line) => !operations.includes(line))).toEqual([])
})

it('docs/operations.md names no setting that there is not', () => {
  const known = [...read('docs/configuration.md').matchAll(/`([a-z][A-Za-z]*(?:\.[\w<>[\]]+)+)`/g)].map(
    (match) => match[1] ?? '',
  )
  const section = /^(server|rateLimit|timeouts|retry|breaker|hedge|cache|fold|audit|redis|memory|workers|jobs|log)\./
  const named = [...operations.matchAll(/`([a-z][A-Za-z]*(?:\.[\w<>]+)+)`/g)].map((match) => match[1] ?? '')
  expect(
    named.filter((name) => section.test(name) && !known.some((setting) => `${setting}.`.startsWith(`${name}.`))),
  ).toEqual([])
})
