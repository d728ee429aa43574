import { describe, expect, it } from 'vitest'
import { withOneNumber } from '../../../../src/domain/ledger/links/one-number.ts'

const named = (...texts: string[]) => texts.map((text, at) => ({ text, turn: at, times: 1, worth: at }))
const textsOf = (...texts: string[]) => withOneNumber(named(...texts)).map(({ text }) => text)

describe('withOneNumber', () => {
  it.each([
    ['a bare number is the one that has a label', ['#51', 'PR #51'], ['PR #51']],
    ['whichever came first', ['PR #51', 'v1.2.3', '#51'], ['v1.2.3', 'PR #51']],
    ['a pull request by both names', ['pull request #51', 'PR #51'], ['PR #51']],
    ['an issue and a merge request of one number are two', ['issue #7', 'MR #7', '#7'], ['issue #7', 'MR #7', '#7']],
    ['other numbers and names stay', ['#5', 'PR #51', 'job 51', '57c5337'], ['#5', 'PR #51', 'job 51', '57c5337']],
  ])('%s', (_, given, wanted) => {
    expect(textsOf(...given)).toEqual(wanted)
  })

  it('adds up how often it came and keeps the higher worth and the newest turn', () => {
    expect(withOneNumber(named('PR #51', '#51'))).toEqual([{ text: 'PR #51', turn: 1, times: 2, worth: 1 }])
  })
})
