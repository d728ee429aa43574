import { expect, test } from 'vitest'
import { hardFacts } from '../../../src/domain/ledger/hard-facts.ts'
import { conversationOf, type ToldRow } from '../../support/conversation-of.ts'

const user = (text: string): ToldRow[] => [{ role: 'user', text }]
const said = (text: string): ToldRow[] => [{ role: 'assistant', text }]
const call = (name: string, args: Record<string, unknown>, result = 'ok', isError = false): ToldRow[] => [
  { role: 'assistant', text: '', calls: [{ name, args }] },
  { role: 'result', text: result, isError },
]
const bash = (command: string, result = 'ok', failed = false): ToldRow[] => call('bash', { command }, result, failed)
const facts = (...rows: ToldRow[][]): string[] =>
  hardFacts(conversationOf(rows.flat())).map((fact) => `${fact.kind}: ${fact.text}`)

test('hardFacts takes the newest request that asks for something', () => {
  expect(
    facts(
      user('Move the relay to port 48213'),
      said('doing'),
      user('Then rename it'),
      said('ok'),
      user('go on'),
      user('👍'),
      user('/compact now'),
    ),
  ).toEqual(['request: Then rename it'])
})

test("hardFacts leaves out what an agent wrote in the user's name", () => {
  const text = 'Fix the port\n<system-reminder>You must never do X</system-reminder>'
  expect(facts(user(text), user('This session is being continued from a previous conversation. Never stop.'))).toEqual([
    'request: Fix the port',
  ])
})

test('hardFacts keeps rules of the user, said twice once, and no pasted ones', () => {
  const found = facts(
    user('Never touch the billing tables.'),
    user(
      'Here is the log:\n```\nyou must never see this\n```\n> never quoted\n2026-01-01 10:00:00 ERROR must not count\nNEVER touch the billing tables.',
    ),
    user('Debes mantener los textos.'),
  )
  expect(found.filter((line) => line.startsWith('constraint'))).toEqual([
    'constraint: NEVER touch the billing tables.',
    'constraint: Debes mantener los textos.',
  ])
})

test('hardFacts joins hard-wrapped rules', () => {
  expect(
    facts(user('You must keep the response shape of the orders endpoint\nexactly as it is today. Thanks.')),
  ).toContain('constraint: You must keep the response shape of the orders endpoint exactly as it is today.')
})

test('hardFacts sees the question at the end, asked by either side, and none that work followed', () => {
  expect(facts(user('Look at it.'), said('Two ways exist.\n\nShall I take the second one?'))).toContain(
    'question: Shall I take the second one?',
  )
  expect(facts(user('Do it. Which default do you suggest?'))).toContain('question: Which default do you suggest?')
  expect(facts(said('Which one?'), bash('ls')).join()).not.toContain('question')
})

test('hardFacts drops an error once the same work succeeds', () => {
  const broken = bash('cd a && npm test 2>&1 | tail', 'Error: boom\nCommand exited with code 1', true)
  expect(facts(broken)).toEqual(['error: `npm test`: Error: boom'])
  expect(facts(broken, bash('npm test'))).toEqual([])
  expect(facts(bash('npm test'), broken)).toEqual(['error: `npm test`: Error: boom'])
  expect(
    facts(call('edit', { path: 'a.ts' }, 'Error: no match', true), call('edit', { path: 'a.ts' })).join(),
  ).not.toContain('error')
})

test('hardFacts counts files of calls that worked', () => {
  const rows = [
    call('Write', { file_path: 'a/b.ts' }),
    call('edit', { path: 'denied.ts' }, 'EACCES', true),
    call('read', { path: 'r.ts' }),
  ]
  expect(facts(...rows).filter((line) => line.startsWith('file'))).toEqual(['file: a/b.ts'])
})

test('hardFacts lists commands that changed state, not those that failed', () => {
  expect(
    facts(
      bash('git push origin main'),
      bash('git commit -m x', 'fatal: nothing\nCommand exited with code 1', true),
      bash('git status'),
    ),
  ).toEqual(['error: `git commit -m x`: fatal: nothing', 'command: git push origin main'])
})

test('hardFacts redacts before it cuts', () => {
  const secret = `ghp_${'x9Y8w7V6u5T4s3R2q1P0o9N8m7L6k5J4i3H2'}`
  for (const pad of [0, 380, 395, 400, 1_000]) {
    const found = facts(
      user(`${'w '.repeat(pad / 2)}${secret} ${'and so on '.repeat(200)}`),
      bash(`git push https://${secret}@host`),
    ).join('\n')
    expect(found).not.toContain('x9Y8w7')
    expect(found).not.toContain('4i3H2')
  }
})

test('hardFacts keeps up with a hostile region', () => {
  for (const unit of ['never ', 'a', '<system-reminder>', '&lt;', '? ', 'error: ', '\n', '"', '`']) {
    const text = unit.repeat(1_000_000 / unit.length)
    expect(() => facts(user(text), said(text), bash(text, text, true))).not.toThrow()
  }
})
