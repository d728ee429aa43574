import { describe, expect, it } from 'vitest'
import { ledger } from '../../../../src/domain/ledger/ledger.ts'
import { type ToldStep, told } from '../../../support/told.ts'

const outcomes = (...steps: ToldStep[]) => ledger(told(...steps)).outcomes

describe('outcomesOf', () => {
  it('tells the commit that came of a turn with it', () => {
    const commit: ToldStep = { run: 'git commit -am x', output: '[main 4f0c1de] feat: zones\n 1 file changed' }
    expect(outcomes({ user: 'Commit it.' }, commit, { says: 'Committed.' })[0]?.text).toBe(
      'Committed. (4f0c1de feat: zones)',
    )
  })

  it('takes along what follows a sentence that says little', () => {
    expect(
      outcomes({ user: 'Are you sure?' }, { says: "No, I'm not sure. The reader may write the index, too." })[0]?.text,
    ).toBe('The reader may write the index, too.')
  })

  it.each([
    'undo that, it was not needed',
    'mach das bitte rückgängig',
    'deshazlo',
    'annule ça',
    'annullalo',
    'desfaz isso',
    '撤销吧',
    '元に戻して',
    '되돌려줘',
    'откати это',
    'geri al',
    'तुम इसे वापस ले लो',
    'تراجع عن ذلك',
  ])('says of a turn that the user had its work taken back: %s', (words) => {
    const [first] = outcomes(
      { user: 'Defer it.' },
      { edit: 'a.ts' },
      { says: 'It runs in the next tick now.' },
      { user: words },
    )
    expect(first?.text).toBe('It runs in the next tick now. (undone at the next request)')
  })

  it('knows a turn in which nothing was done from one with work, numbers or links', () => {
    const [talk, work, number] = outcomes(
      { user: 'What is a lock?' },
      { says: 'A lock keeps two writers apart from each other.' },
      { user: 'Write it down.' },
      { edit: 'docs/lock.md' },
      { says: 'The document tells what a lock does for writers.' },
      { user: 'How many writers?' },
      { says: 'There are 14 writers in the pool.' },
    )
    expect([talk?.isTalk, work?.isTalk, number?.isTalk]).toEqual([true, false, false])
  })
})
