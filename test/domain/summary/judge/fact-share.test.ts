import { expect, it } from 'vitest'
import type { FactKind, HardFact } from '../../../../src/domain/ledger/ledger-facts.ts'
import { factShare } from '../../../../src/domain/summary/judge/fact-share.ts'

const fact = (kind: FactKind, text: string): HardFact => ({ kind, text, probe: text })
const PORT = fact('constraint', 'never touch port 48213')
const TABLES = fact('decision', 'drop the billing tables')
const files = (...names: string[]) => names.map((name) => fact('file', name))

it.each([
  ['nothing to hold', 'anything', [], 1, 0],
  ['all of two', 'never touch port 48213; drop the billing tables', [PORT, TABLES], 1, 2],
  ['one of two', 'never touch port 48213', [PORT, TABLES], 0.5, 2],
  ['none', 'some work was done', [PORT, TABLES], 0, 2],
  ['a command, which need not be repeated', 'some work', [fact('command', 'git push origin main')], 1, 0],
  ['one file of two, which weigh as two', 'src/a/one.ts', files('src/a/one.ts', 'src/b/two.ts'), 0.5, 2],
  [
    'a rule and two of six files, which weigh as three together',
    'never touch port 48213; src/a/one.ts, src/b/two.ts',
    [PORT, ...files('src/a/one.ts', 'src/b/two.ts', 'src/c/x.ts', 'src/d/y.ts', 'src/e/z.ts', 'src/f/w.ts')],
    0.5,
    4,
  ],
])('factShare of %s', (_, answer, facts, share, count) => {
  expect(factShare(answer, facts)).toEqual({ share, count })
})
