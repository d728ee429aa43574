import type { TruthScore } from '../../domain/summary/truth-score.ts'

/** One summary of one file; without a score: the model gave none. */
export interface Measured {
  readonly model: string
  readonly score?: TruthScore | undefined
  readonly tokens?: number | undefined
  readonly costUsd?: number | undefined
  readonly latencyMs?: number | undefined
}

type Column = readonly [title: string, figureOf: (row: Measured) => number | undefined, show: (value: number) => string]

const share = (value: number) => value.toFixed(2)
const COLUMNS: readonly Column[] = [
  ['truth', ({ score }) => score?.truth, share],
  ['recall', ({ score }) => score?.recall, share],
  ['stale', ({ score }) => score?.staleShare, share],
  ['tokens', ({ tokens }) => tokens, (value) => String(Math.round(value))],
  ['cost', ({ costUsd }) => costUsd, (value) => `$${value.toFixed(4)}`],
  ['latency', ({ latencyMs }) => latencyMs, (value) => `${Math.round(value)} ms`],
]

/** One row a model in the order asked, medians over its files; a dash where nothing was measured. */
export function evalTable(measured: readonly Measured[]): string {
  const models = [...new Set(measured.map(({ model }) => model))]
  const rows = models.map((model) => {
    const mine = measured.filter((row) => row.model === model)
    const cells = COLUMNS.map(([, figureOf, show]) =>
      shown(
        mine.flatMap((row) => figureOf(row) ?? []),
        show,
      ),
    )
    const answered = mine.filter(({ score }) => score !== undefined).length
    return [model, ...cells, `${answered}/${mine.length}`]
  })
  return aligned([['model', ...COLUMNS.map(([title]) => title), 'answered'], ...rows])
}

const shown = (values: readonly number[], show: Column[2]) => (values.length === 0 ? '-' : show(median(values)))

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = (sorted.length - 1) / 2
  return ((sorted[Math.floor(middle)] ?? 0) + (sorted[Math.ceil(middle)] ?? 0)) / 2
}

/** Names to the left, figures to the right. */
function aligned(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, at) => Math.max(...rows.map((row) => (row[at] ?? '').length)))
  return rows
    .map((row) => row.map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0))))
    .map((cells) => cells.join('  '))
    .join('\n')
}
