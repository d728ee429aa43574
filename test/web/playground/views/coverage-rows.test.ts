import { describe, expect, it } from 'vitest'
import { webModule } from '../../../support/web-module.ts'

interface Row {
  readonly id: string | null
  readonly index: number
  readonly fate: string
  readonly tokens: number
  readonly role: string
  readonly text: string
}
interface Coverage {
  readonly rows: readonly Row[]
  readonly cutIndex: number
  readonly headEnd: number
}
const { coverageRows, fateTotals, fateRuns } = await webModule<{
  coverageRows(json: object, inputRows: readonly object[]): Coverage | null
  fateTotals(rows: readonly Row[]): readonly object[]
  fateRuns(rows: readonly Row[], cutIndex: number): readonly object[]
}>('playground/views/coverage-rows.js')
const { describeRow } = await webModule<{ describeRow(row: unknown): { role: string; text: string } }>(
  'playground/source/describe-row.js',
)
const { EXAMPLE_SESSION } = await webModule<{ EXAMPLE_SESSION: string }>('playground/source/example-session.js')

const entry = (id: string, role: string, content: unknown) => ({ type: 'message', id, message: { role, content } })
const INPUT = [
  { type: 'session', id: 's', cwd: '/home/dev' },
  entry('a', 'user', 'fix it'),
  entry('b', 'assistant', [{ type: 'toolCall', name: 'ls', arguments: { path: 'src' } }]),
  entry('c', 'toolResult', [{ type: 'text', text: 'ok' }]),
]
const fates = (...names: string[]) => names.map((fate, at) => ({ id: String(INPUT[at]?.id), fate, tokens: at * 10 }))

describe('coverageRows', () => {
  it('puts role and words of the input beside every row, and finds the cut', () => {
    const coverage = coverageRows(
      { plan: { firstKeptEntryId: 'c', coverage: fates('ignored', 'summarized', 'summarized', 'kept') } },
      INPUT,
    )
    expect(coverage?.cutIndex).toBe(3)
    expect(coverage?.rows.map(({ role, text }) => `${role}: ${text}`)).toEqual([
      'session: /home/dev',
      'user: fix it',
      'assistant: ls({"path":"src"})',
      'toolResult: ok',
    ])
  })

  it('takes the cut of a list from its boundaries, with the protected head', () => {
    const messages = ['system', 'user', 'assistant', 'user'].map((role) => ({ role, content: role }))
    const coverage = messages.map((_message, index) => ({
      index,
      fate: index === 1 || index === 2 ? 'summarized' : 'kept',
      tokens: 5,
    }))
    expect(coverageRows({ boundaries: { start: 1, end: 3 }, plan: { coverage } }, messages)).toMatchObject({
      cutIndex: 3,
      headEnd: 1,
    })
  })

  it('is null without a coverage, and has no cut where nothing was cut', () => {
    expect(coverageRows({ plan: {} }, INPUT)).toBeNull()
    expect(coverageRows({ plan: { coverage: fates('kept', 'kept', 'kept', 'kept') } }, INPUT)?.cutIndex).toBe(-1)
  })
})

describe('fateTotals and fateRuns', () => {
  const rows =
    coverageRows({ plan: { firstKeptEntryId: 'c', coverage: fates('ignored', 'kept', 'kept', 'kept') } }, INPUT)
      ?.rows ?? []

  it('fateTotals counts rows and tokens of each fate that occurs', () => {
    expect(fateTotals(rows)).toEqual([
      { fate: 'kept', rows: 3, tokens: 60 },
      { fate: 'ignored', rows: 1, tokens: 0 },
    ])
  })

  it('fateRuns joins neighbours of one fate but never across the cut', () => {
    expect(fateRuns(rows, 3)).toEqual([
      { fate: 'ignored', tokens: 0, rows: 1, cut: false },
      { fate: 'kept', tokens: 30, rows: 2, cut: false },
      { fate: 'kept', tokens: 30, rows: 1, cut: true },
    ])
  })
})

describe('describeRow', () => {
  it.each([
    ['bashExecution: $ make', entry('x', 'bashExecution', undefined), { command: 'make' }],
    ['tool: 42', { role: 'tool', content: '42' }, {}],
    [
      'assistant: ls({})',
      { role: 'assistant', content: null, tool_calls: [{ function: { name: 'ls', arguments: '{}' } }] },
      {},
    ],
    ['function_call: ls({})', { type: 'function_call', name: 'ls', arguments: '{}' }, {}],
    ['user: [image] see', { role: 'user', content: [{ type: 'image_url' }, { type: 'text', text: 'see' }] }, {}],
  ])('says %s', (words, row, more) => {
    const whole = 'message' in row ? { ...row, message: { ...row.message, ...more } } : row
    const { role, text } = describeRow(whole)
    expect(`${role}: ${text}`).toBe(words)
  })

  it('never fails on rows it has not seen before', () => {
    for (const row of [
      null,
      7,
      {},
      { type: 'new' },
      { message: null },
      { role: 'user', content: 5 },
      { message: { role: 'x', content: [null] } },
    ])
      expect(() => describeRow(row)).not.toThrow()
  })
})

describe('the example session', () => {
  const rows = EXAMPLE_SESSION.trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { id: string; parentId?: string | null; type: string })

  it('is one tree with unique ids whose parents stand before their children', () => {
    const seen = new Set<string>()
    for (const { id, parentId, type } of rows) {
      expect(seen.has(id)).toBe(false)
      if (type !== 'session' && parentId !== null) expect(seen.has(String(parentId))).toBe(true)
      seen.add(id)
    }
  })

  it('has an abandoned branch, so that something is ignored', () => {
    const parents = rows.map(({ parentId }) => parentId).filter((id) => typeof id === 'string')
    expect(new Set(parents).size).toBeLessThan(parents.length)
  })
})
