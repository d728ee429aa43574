import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { hasCorpus } from '../support/corpus.ts'

const ROOT = path.resolve(import.meta.dirname, '../..')
/** How far a share may be from the one that the README shows: farther, and the table is to be made anew. */
const NEAR = 0.05

type Row = Readonly<Record<string, string>>

/** The rows of a table of `recapd eval`, by the names of its columns. */
function tableIn(text: string): readonly Row[] {
  const lines = text.slice(text.indexOf('model  ')).split('\n')
  const end = lines.findIndex((line) => !line.includes('  '))
  const [head = [], ...rows] = lines.slice(0, end).map((line) => line.split(/ {2,}/))
  return rows.map((cells) => Object.fromEntries(head.map((name, at) => [name, cells[at] ?? ''])))
}

it.skipIf(!hasCorpus)('the table of recapd eval in the README is what `npm run bench -- eval` prints', () => {
  const shown = tableIn(readFileSync(path.join(ROOT, 'README.md'), 'utf8'))
  const run = spawnSync(process.execPath, ['bench/run.ts', 'eval'], { cwd: ROOT, encoding: 'utf8' })
  expect(run).toMatchObject({ status: 0, stderr: '' })
  const made = tableIn(`${run.stdout}\n`)
  const names = (rows: readonly Row[]) => rows.map(({ model, answered }) => [model, answered])
  expect(shown.map(({ model }) => model)).toEqual(['recapd/extractive', 'fake/lossy', 'fake/stale'])
  expect(names(made)).toEqual(names(shown))
  for (const [at, row] of made.entries()) {
    for (const name of ['truth', 'recall', 'stale']) {
      const distance = Math.abs(Number(row[name]) - Number(shown[at]?.[name]))
      expect(distance, `${row['model']}: ${name} ${row[name]}`).toBeLessThanOrEqual(NEAR)
    }
    const more = Number(row['tokens']) / Number(shown[at]?.['tokens'])
    expect(Math.abs(more - 1), `${row['model']}: tokens ${row['tokens']}`).toBeLessThan(0.15)
    expect(row['cost']).toMatch(/^\$\d+\.\d{4}$/)
  }
})
