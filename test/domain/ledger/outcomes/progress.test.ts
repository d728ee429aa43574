import { describe, expect, it, test } from 'vitest'
import { ledger } from '../../../../src/domain/ledger/ledger.ts'
import { type ToldStep, told } from '../../../support/told.ts'

const progress = (...steps: ToldStep[]): string[] => ledger(told(...steps)).progress.map(({ text }) => text)
const ASK: ToldStep = { user: 'Find out why the import stops.' }
const GOES_ON: ToldStep = { run: 'ls', output: 'src' }

test.each([
  'The root cause is a lock that nobody frees.',
  'Es stellt sich heraus, dass niemand die Sperre löst.',
  'Resulta que nadie libera el bloqueo.',
  "Il s'avère que personne ne libère le verrou.",
  'Il problema era il blocco della tabella.',
  'O problema era o bloqueio da tabela.',
  '根本原因：没有人释放锁。',
  '原因は誰もロックを解放しないことです。',
  '원인은 아무도 잠금을 풀지 않는 것이다.',
  'Оказалось, что блокировку никто не снимает.',
  'Meğer kilidi kimse bırakmıyormuş.',
  'تبين أن القفل لا يحرره أحد.',
  'पता चला कि ताला कोई नहीं खोलता।',
])('progressOf tells what was found out in a turn that no message closed: %s', (sentence) => {
  expect(progress(ASK, { says: sentence }, GOES_ON)).toEqual([sentence])
})

describe('progressOf', () => {
  it('tells neither plans nor questions nor what a closing message told', () => {
    expect(progress(ASK, { says: 'Let me check whether the problem is the lock.' }, GOES_ON)).toEqual([])
    expect(progress(ASK, { says: 'The problem is the lock, or is it?' }, GOES_ON)).toEqual([])
    expect(progress(ASK, { says: 'The problem is the lock.' }, GOES_ON, { says: 'The lock is never freed.' })).toEqual(
      [],
    )
  })

  it('leaves an older turn that the user broke off to its outcome', () => {
    const held = ledger(
      told(ASK, { says: 'The draft is opened: https://acme.test/pull/4' }, GOES_ON, { user: 'wait, merge main first' }),
    )
    expect(held.progress).toEqual([])
    expect(held.outcomes.map(({ turn, text }) => [turn, text])).toEqual([
      [1, 'The draft is opened: https://acme.test/pull/4'],
    ])
  })

  it('holds the strongest and newest of many', () => {
    const many = Array.from(
      { length: 40 },
      (_, i): ToldStep => ({ says: `The problem is lock number ${i} of the table.` }),
    )
    const held = progress(ASK, ...many, GOES_ON)
    expect(held).toHaveLength(10)
    expect(held.at(-1)).toBe('The problem is lock number 39 of the table.')
  })
})
