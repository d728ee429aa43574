import { describe, expect, it, test } from 'vitest'
import { ledger } from '../../../../src/domain/ledger/ledger.ts'
import { linksIn } from '../../../../src/domain/ledger/links/links.ts'
import { type ToldStep, told } from '../../../support/told.ts'

test.each([
  ['I approve #1 but explain #2', []],
  ['Merged #2 into main', ['#2']],
  ['closes #7', ['#7']],
  ['see #123', ['#123']],
  ['修复了#123的问题', ['#123']],
  ['OPS-14에서 localhost:3000으로', ['OPS-14', 'localhost:3000']],
  ['смOPS-14 и OPS-15м', []],
  ['éabc1234 abc1234é', []],
  ['the color is #990099, or #008', []],
  ['pushed to https://git.acme.test/a/b.git', []],
  ['open https://github.com/acme/desk/pull/new/topic', []],
  ['https://github.com/acme/desk/pull/12', ['https://github.com/acme/desk/pull/12']],
])('linksIn reads %j', (text, wanted) => {
  expect(linksIn(text)).toEqual(wanted)
})

describe('linksOf', () => {
  const links = (...steps: ToldStep[]): string[] => ledger(told(...steps)).links.map(({ text }) => text)

  it('takes an address that a tool opened', () => {
    const page: ToldStep = { tool: 'web_fetch', args: { url: 'https://docs.acme.test/retry' }, output: 'Retries.' }
    expect(links({ user: 'Read the page on retries.' }, page, { says: 'It says three times.' })).toEqual([
      'https://docs.acme.test/retry',
    ])
  })

  it('keeps what a person gave and a command brought forth before what was passed by', () => {
    const passing = Array.from(
      { length: 60 },
      (_, i): ToldStep => ({ says: `I look at https://blog.acme.test/${i} now.` }),
    )
    const held = links(
      { user: 'The report is https://acme.test/report/9, ticket OPS-14.' },
      { run: 'gh pr create', output: 'https://github.com/acme/desk/pull/31' },
      ...passing,
      { run: 'true' },
    )
    expect(held).toEqual(
      expect.arrayContaining(['https://acme.test/report/9', 'OPS-14', 'https://github.com/acme/desk/pull/31']),
    )
  })

  it('takes what an installation printed for something passed by', () => {
    const worthOf = (run: string): number =>
      ledger(told({ user: 'Go.' }, { run, output: 'see https://acme.test/page' })).links[0]?.worth ?? 0
    expect(worthOf('npm publish')).toBeGreaterThan(worthOf('npm install'))
  })
})
