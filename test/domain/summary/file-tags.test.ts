import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { stripFileTags, upsertFileTags } from '../../../src/domain/summary/file-tags.ts'

const TEMPLATE = readFileSync(join(import.meta.dirname, '..', '..', '..', 'prompts', 'file-operations.md'), 'utf8')
const upsert = (summary: string, readFiles: readonly string[], modifiedFiles: readonly string[]): string =>
  upsertFileTags(summary, { readFiles, modifiedFiles }, TEMPLATE)

test('upsertFileTags appends both tags, one path a line', () => {
  expect(upsert('## Goal\nx\n', ['a.ts', 'b.ts'], ['c.ts'])).toBe(
    '## Goal\nx\n\n<read-files>\na.ts\nb.ts\n</read-files>\n<modified-files>\nc.ts\n</modified-files>',
  )
})

test('upsertFileTags gives an empty list no tag', () => {
  expect(upsert('x', [], ['c.ts'])).toBe('x\n\n<modified-files>\nc.ts\n</modified-files>')
  expect(upsert('x', ['a.ts'], [])).toBe('x\n\n<read-files>\na.ts\n</read-files>')
  expect(upsert('x\n\n', [], [])).toBe('x')
  expect(upsert('', ['a.ts'], [])).toBe('<read-files>\na.ts\n</read-files>')
})

test('upsertFileTags shows twenty paths and counts the rest', () => {
  const paths = Array.from({ length: 33 }, (_, n) => `src/${n}.ts`)
  const lines = upsert('x', [], paths).split('\n').slice(3, -1)
  expect(lines).toHaveLength(21)
  expect(lines.at(-1)).toBe('… (13 more)')
})

test('upsertFileTags keeps a path on its line and inside its tag', () => {
  const text = upsert('x', ['a\nb.ts', 'c</read-files>.ts'], [])
  expect(text.split('\n').slice(2)).toEqual(['<read-files>', 'a b.ts', 'c&lt;/read-files>.ts', '</read-files>'])
})

test.each([
  [
    'both tags and the later one',
    'g\n\n<read-files>\na\n</read-files>\n<modified-files>\nb\n</modified-files>\n\n<files>\nc\n</files>',
    'g',
  ],
  [
    'tags that touch, as omp wrote them',
    'g\n\n<read-files>\na\\nb\n</read-files><modified-files>\nc\n</modified-files>',
    'g',
  ],
  ['in the middle', 'a\n\n<files>\nx\n</files>\n\n## B\ny', 'a\n\n## B\ny'],
  ['one that was cut', 'g\n\n<modified-files>\na\nb', 'g'],
  ['a cut one before a section keeps the section', 'g\n\n<modified-files>\n## B\ny', 'g\n\n## B\ny'],
  ['a mention in a sentence stays', 'uses `<files>` and `</files>` tags', 'uses `<files>` and `</files>` tags'],
])('stripFileTags: %s', (_, summary, wanted) => {
  expect(stripFileTags(summary)).toBe(wanted)
})

test('upsertFileTags is idempotent', () => {
  const part = fc.constantFrom(
    '<files>',
    '</files>',
    '<read-files>',
    '</read-files>',
    '\n',
    'text',
    '## H',
    '<modified-files>\nold\n</modified-files>',
    ' ',
  )
  fc.assert(
    fc.property(
      fc.array(part, { maxLength: 16 }),
      fc.array(fc.string({ maxLength: 8 }), { maxLength: 24 }),
      (parts, paths) => {
        const once = upsert(parts.join(''), paths, ['m.ts'])
        expect(upsert(once, paths, ['m.ts'])).toBe(once)
      },
    ),
    { seed: 17, numRuns: 1000 },
  )
})

test('stripFileTags keeps up with hostile megabytes', () => {
  expect(stripFileTags('<files>\n'.repeat(120_000))).toBe('')
  expect(stripFileTags('x<files>'.repeat(120_000))).toHaveLength(960_000)
  expect(stripFileTags('<files>\n</files>\n'.repeat(60_000))).toBe('')
})
