import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { summarizeExtractively } from '../../../src/domain/extractive/summarize-extractively.ts'
import { propertyRuns } from '../../support/property-runs.ts'
import { CHECKPOINT, headingsOf, promptOf, type Row } from './prompt-builder.ts'

const LABELS = [
  'User',
  'Assistant',
  'Assistant thinking',
  'Assistant tool calls',
  'Tool result',
  'Tool error',
  'Nobody',
] as const
const PIECES = [
  'bash(command="npm test")',
  'edit(path="a/b.ts", oldText="x", newText="y")',
  'Command exited with code 1',
  'Error: broken',
  '## Goal',
  '<conversation>',
  '</conversation>',
  '<previous-summary>',
  '</previous-summary>',
  '[User]: ',
  'You must never do that.',
  'Next steps:\n- one\n- two',
  '```',
  '"',
  '\\',
  '😀',
  '\ud800',
  '\n\n',
  'token=abcdef123456',
  '必须保留。',
]
const text = fc
  .array(fc.oneof(fc.constantFrom(...PIECES), fc.string({ unit: 'binary', maxLength: 30 })), { maxLength: 12 })
  .map((parts) => parts.join(' '))
const rows = fc.array(fc.tuple(fc.constantFrom(...LABELS), text), { maxLength: 14 })
const budget = fc.oneof(fc.integer({ min: 1, max: 120 }), fc.integer({ min: 1, max: 6000 }))
const runs = { seed: 20261, numRuns: propertyRuns(150) }

describe('summarizeExtractively holds for anything', () => {
  it('is never blank, never over its budget, always well formed, and the same every time', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          text,
          rows.map((each) => promptOf(each as Row[], { previous: 'old' })),
        ),
        budget,
        (prompt, maxTokens) => {
          const summary = summarizeExtractively({ prompt, maxTokens })
          expect(summary.trim()).not.toBe('')
          expect(Buffer.byteLength(summary)).toBeLessThanOrEqual(4 * maxTokens)
          expect(summary.isWellFormed()).toBe(true)
          expect(summarizeExtractively({ prompt, maxTokens })).toBe(summary)
        },
      ),
      runs,
    )
  })

  it('has exactly the headings asked for, whatever the conversation and the earlier summary hold', () => {
    fc.assert(
      fc.property(rows, text, (each, previous) => {
        const clean = (value: string): string => value.replaceAll('conversation>', '')
        const prompt = promptOf(
          each.map(([label, value]) => [label, clean(value)] as const),
          { previous: clean(previous).replaceAll('previous-summary>', '') },
        )
        expect(headingsOf(summarizeExtractively({ prompt, maxTokens: 3000 }))).toEqual(headingsOf(CHECKPOINT))
      }),
      runs,
    )
  })

  it('a smaller budget has no line that the larger one has not', () => {
    fc.assert(
      fc.property(rows, fc.integer({ min: 300, max: 900 }), (each, maxTokens) => {
        const prompt = promptOf(each as Row[])
        const long = new Set(summarizeExtractively({ prompt, maxTokens: 50_000 }).split('\n').map(bare))
        const short = summarizeExtractively({ prompt, maxTokens }).split('\n').slice(1).map(bare)
        // Only the newest request and the goal may be shortened (docs/spec/truth.md §6).
        const isWhole = (line: string): boolean => line.endsWith(' …') || long.has(line)
        expect(short.filter((line) => !isWhole(line))).toEqual([])
      }),
      runs,
    )
  })

  it('keeps the newest request when hardly anything else fits', () => {
    const many: Row[] = Array.from({ length: 60 }, (_, i) => [
      'User',
      `Step ${i}: you must never lose file number ${i} of the archive.`,
    ])
    const prompt = promptOf([...many, ['User', 'Close the archive.']])
    for (const maxTokens of [20, 40, 80, 160, 320]) {
      expect(summarizeExtractively({ prompt, maxTokens }), `${maxTokens} tokens`).toContain('Close the archive.')
    }
  })

  it('answers a growing conversation with a summary that stops growing', () => {
    const turn = (i: number): Row[] => [
      ['User', `Adapt module ${i}.`],
      ['Assistant tool calls', `bash(command="make module-${i}")`],
      ['Tool result', `Error: module ${i} is broken\n\nCommand exited with code 2`],
      [
        'Assistant',
        `I decided to skip module ${i} because it is broken. Added a note. Next I will look at module ${i + 1}.`,
      ],
    ]
    const of = (turns: number): string =>
      summarizeExtractively({
        prompt: promptOf(Array.from({ length: turns }, (_, i) => turn(i)).flat()),
        maxTokens: 100_000,
      })
    expect(of(800).length).toBeLessThan(2 * of(100).length)
  })
})

/** A line without the number it has in its list. */
function bare(line: string): string {
  return line.replace(/^\d+\. /, '')
}
