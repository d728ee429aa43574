import { describe, expect, it } from 'vitest'
import { cueTest } from '../../../../src/domain/ledger/cues/any-cue.ts'
import { LANGUAGES } from '../../../../src/domain/ledger/cues/languages.ts'
import { CUES } from '../../../../src/domain/ledger/cues/patterns.ts'

const KINDS = ['prohibition', 'obligation', 'lifting', 'reason'] as const
const STARTS = ['done', 'intent', 'decision', 'next'] as const

describe('cueTest', () => {
  it.each(KINDS)(
    '%s is written in lower case in every language, as texts are lowered before it is looked for',
    (kind) => {
      for (const cues of LANGUAGES) {
        const literal = cues[kind].source.replace(/\\[pP]\{[^}]*\}|\\[A-Z]/g, '')
        expect(literal).toBe(literal.toLowerCase())
      }
    },
  )

  it('may and has mind no case', () => {
    const { may, has } = cueTest('prohibition')
    expect(may('NEVER TOUCH THE LOCK FILE')).toBe(true)
    expect(has('NEVER TOUCH THE LOCK FILE')).toBe(true)
    expect(may('the lock file is fine')).toBe(false)
  })
})

describe('CUES', () => {
  it.each(STARTS)('%s finds every phrase of every language, alone and behind a lead word', (kind) => {
    for (const cues of LANGUAGES)
      for (const phrase of cues[kind]) {
        expect(CUES[kind].test(phrase), phrase).toBe(true)
        const lead = cues.lead[0] ?? ''
        const led = cues.unspaced === true ? lead + phrase : `${lead} ${phrase}`
        expect(CUES[kind].test(led), led).toBe(true)
      }
  })
})
