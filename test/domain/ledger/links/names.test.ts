import { describe, expect, it } from 'vitest'
import { ledger } from '../../../../src/domain/ledger/ledger.ts'
import { type ToldStep, told } from '../../../support/told.ts'

const names = (...steps: ToldStep[]): string[] => ledger(told(...steps)).names.map(({ text }) => text)

describe('namesOf', () => {
  it('holds names in code, files and commands that people and closing messages spoke of', () => {
    expect(
      names(
        { user: 'What does before_request do in conf/app.toml?' },
        { says: 'I look at `half_way` first.' },
        { run: 'ls', output: 'conf' },
        { says: '`before_request` calls `readHeader()`; `git read-tree HEAD` mends the index, `the` is a word.' },
        { user: 'ok, and then?' },
      ),
    ).toEqual(['conf/app.toml', 'before_request', 'readHeader()', 'git read-tree HEAD'])
  })

  it('leaves out files that are told as changed, and placeholders', () => {
    expect(
      names(
        { user: 'Go.' },
        { edit: 'src/a-file.ts' },
        { says: 'Edited `src/a-file.ts`, see `docs/...` and `maxSize`.' },
      ),
    ).toEqual(['maxSize'])
  })

  it('holds the ones that come back before those of a document named once', () => {
    const many = Array.from({ length: 40 }, (_, i) => `\`fieldNumber_${i}\``).join(', ')
    const held = names(
      { user: `Plan: ${many}` },
      { says: 'Kept `keepMe_1`.' },
      { user: 'is keepMe_1 used?' },
      { says: 'No.' },
    )
    expect(held).toContain('keepMe_1')
    expect(held).toHaveLength(24)
  })

  it('holds a command that a person wrote out without marks before names nobody came back to', () => {
    const many = (from: number): ToldStep => ({
      says: Array.from({ length: 14 }, (_, i) => `\`helperNumber_${from + i}\``).join(', '),
    })
    const held = names(
      { user: 'It broke.' },
      { says: 'Run `git read-tree HEAD` to mend it.' },
      { user: 'again! I did a git read-tree HEAD' },
      many(0),
      { user: 'and now?' },
      many(20),
    )
    expect(held).toContain('git read-tree HEAD')
  })

  it('outlive the summary they stand in', () => {
    const held = ledger(told({ user: 'Go on.' }), {
      summary: '## Critical Context\n- Names spoken of: readHeader(), git read-tree HEAD',
      durable: null,
    })
    expect(held.names.map(({ text }) => text)).toEqual(['readHeader()', 'git read-tree HEAD'])
  })
})
