import { describe, expect, it } from 'vitest'
import { parsePrevious } from '../../../src/domain/extractive/previous-summary.ts'
import { summarizeExtractively } from '../../../src/domain/extractive/summarize-extractively.ts'
import { promptOf, type Row, ran, sectionOf } from './prompt-builder.ts'

describe('parsePrevious', () => {
  it('keeps continuation lines and fences with their entry, headings in fences are text', () => {
    const sections = parsePrevious(
      '## Key Decisions\n- one\n  because of two\n- three\n```sh\n# not a heading\n```\n## Next Steps\n1. four\n- (none)',
    )
    expect(sections.get('decisions')).toEqual(['one\n  because of two', 'three\n  ```sh\n  # not a heading\n  ```'])
    expect(sections.get('next-steps')).toEqual(['four'])
  })

  it('reads file tags of both kinds, also joined by a literal backslash-n', () => {
    const sections = parsePrevious(
      '## Goal\nx\n\n<read-files>\na.ts\\nb.ts:1-20\n</read-files><modified-files>c.ts\n… (3 more files omitted)</modified-files>',
    )
    expect(sections.get('files')).toEqual(['a.ts (read)', 'b.ts (read)', 'c.ts (modified)'])
    expect(sections.get('goal')).toEqual(['x'])
  })

  it('tells done from running by the checkbox under a plain heading, and takes text without headings for context', () => {
    const sections = parsePrevious('loose words\n## Progress\n- [x] a\n- [ ] b')
    expect(sections.get('critical')).toEqual(['loose words'])
    expect(sections.get('done')).toEqual(['a'])
    expect(sections.get('in-progress')).toEqual(['b'])
  })
})

describe('merging an earlier summary', () => {
  const merged = (rows: readonly Row[], previous: string, maxTokens = 4000): string =>
    summarizeExtractively({ prompt: promptOf(rows, { previous }), maxTokens })
  const GO: Row = ['User', 'Go on with the importer of prices.']

  it('moves what got finished and leaves what did not', () => {
    const text = merged(
      [GO, ['Assistant', 'Added the price parser with its tests.']],
      '## Progress\n### In Progress\n- [ ] Add the price parser\n- [ ] Paint the shed',
    )
    expect(sectionOf(text, '### Done')).toContain('- [x] Add the price parser')
    expect(sectionOf(text, '### In Progress')).toBe('- [ ] Paint the shed')
  })

  it('drops a blocker whose command ran well since and keeps the others', () => {
    const previous = '### Blocked\n- `npm test` exits with code 1:\n  Error: x\n- waiting for the key of the bank'
    const blocked = sectionOf(merged([GO, ...ran('npm test', '3 passed')], previous), '### Blocked')
    expect(blocked).toBe('- waiting for the key of the bank')
  })

  it('puts summaries of its own through again and again without growing or losing constraints', () => {
    let previous = '## Constraints & Preferences\n- Never round a price.'
    for (let i = 0; i < 30; i += 1) {
      const rows: Row[] = [
        ['User', `Adapt part ${i} of the importer.`],
        ['Assistant tool calls', 'edit(path="src/importer.ts", oldText="a", newText="b")'],
        ['Tool result', 'Successfully replaced text in src/importer.ts.'],
        ['Assistant', `Part ${i} of the importer is adapted and all its tests pass, the next part can follow.`],
      ]
      previous = merged(rows, previous, 1500)
    }
    expect(previous).toContain('- Never round a price.')
    expect(previous.split('src/importer.ts').length - 1).toBeLessThanOrEqual(2)
    expect(previous.split('Last words of the assistant').length - 1).toBe(1)
    expect(previous).toContain('Newest request: Adapt part 29')
    expect(previous.split('Newest request:').length - 1).toBe(1)
    expect(Buffer.byteLength(previous)).toBeLessThanOrEqual(6000)
  })

  it('keeps what stood under a heading that nobody asks for any more', () => {
    expect(merged([GO], '## Kept Facts\n- the price list has 4 711 rows')).toContain('- the price list has 4 711 rows')
  })
})
