import { describe, expect, it } from 'vitest'
import { ledger } from '../../../../src/domain/ledger/ledger.ts'
import { type ToldStep, told } from '../../../support/told.ts'

const byUser = (...steps: ToldStep[]): string[] =>
  ledger(told(...steps)).decisions.flatMap(({ by, text }) => (by === 'user' ? text : []))

describe('userChoices', () => {
  it.each([
    ['en', '## Design decisions (from me)\n- **Format**: plain text, no JSON\n- No approval step\n\n## Files\n- a.ts'],
    ['de', 'Entscheidungen:\n- **Format**: plain text, no JSON\n- No approval step\n\nDateien:\n- a.ts'],
    ['es', '## Decisiones\n- **Format**: plain text, no JSON\n- No approval step\n\n## Archivos\n- a.ts'],
  ])('are the entries under a heading of decisions in a plan of the user (%s)', (_, plan) => {
    expect(byUser({ user: `Carry this out:\n\n${plan}` }, { says: 'Done.' })).toEqual([
      '**Format**: plain text, no JSON',
      'No approval step',
    ])
  })

  const ASKED: ToldStep = {
    says: 'To settle:\n1. the timeout\n2. who changes the folder\n\nI wait for your words.',
  }

  it.each([
    '1 timeout of 300 s\n2 the script changes it',
    '1번 타임아웃 300초\n2번 스크립트 책임',
    'Antworten:\n1. 300 s\n2. das Skript',
  ])('are answers to numbered points, whole: %j', (answer) => {
    expect(byUser({ user: 'Plan the shell.' }, ASKED, { user: answer })).toEqual([answer])
  })

  it('are no lists of a request', () => {
    expect(byUser({ user: 'Plan it.' }, ASKED, { user: 'wait\n1. read the code\n2. then plan\n3. then ask' })).toEqual(
      [],
    )
  })

  it.each(['rename it to desk-tools', 'put it in tools/desk', 'no deprecation alias!'])('are choices: %s', (choice) => {
    expect(byUser({ user: 'Write the tool.' }, { says: 'Written.' }, { user: choice })).toEqual([choice])
  })

  it.each([
    'What can I help you with?',
    'Wie kann ich dir helfen?',
    '무엇을 도와드릴까요?',
    '何をお手伝いしましょうか？',
  ])('answer no question of politeness: %s', (question) => {
    expect(
      byUser({ user: 'hello there friend' }, { says: question }, { user: 'the parser is slow on big files' }),
    ).toEqual([])
  })

  it.each([
    ['ok, do nothing, can we add some tests?', ['ok, do nothing']],
    ['only the first one, how long will it take?', ['only the first one']],
    ['ok, what does it cost?', []],
    ['what does it cost, and why?', []],
  ])('are the clauses of an answer before it asks: %j', (answer, wanted) => {
    expect(
      byUser({ user: 'Plan it.' }, { says: 'There are two ways. Which one do you prefer?' }, { user: answer }),
    ).toEqual(wanted)
  })
})
