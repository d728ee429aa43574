import { describe, expect, it, test } from 'vitest'
import { durableOf } from '../../../../src/domain/ledger/durable-ledger.ts'
import { ledger } from '../../../../src/domain/ledger/ledger.ts'
import { ledgerFacts } from '../../../../src/domain/ledger/ledger-facts.ts'
import { type ToldStep, told } from '../../../support/told.ts'

const rules = (...steps: ToldStep[]): string[] => ledger(told(...steps)).projectRules.map(({ text }) => text)
const ASKED: ToldStep = { user: 'Fix the chart.' }

test.each([
  ['en', 'Per CONTRIBUTING we must open an issue before any branch.'],
  ['en', 'The color convention of this app: red is up, blue is down.'],
  ['de', 'Die Farbregel: Rot heißt steigend.'],
  ['es', 'La convención de colores: rojo sube.'],
  ['fr', 'La convention de couleurs : rouge monte.'],
  ['it', 'La convenzione dei colori: rosso sale.'],
  ['pt', 'A convenção de cores: vermelho sobe.'],
  ['zh', '颜色规则：红色表示上涨。'],
  ['ja', '色の規則：赤は上昇を表す。'],
  ['ko', '색상 규칙: 이 앱은 **빨강=상승(`--up`), 파랑=하락(`--down`)** 이다.'],
  ['ru', 'Соглашение кода: красный — рост.'],
  ['tr', 'Renk kuralı: kırmızı yükseliş demek.'],
  ['ar', 'قواعد الألوان: الأحمر للصعود.'],
  ['hi', 'रंग नियम: लाल का मतलब ऊपर।'],
])('projectRules takes what the assistant tells of the rules of the project (%s): %s', (_, sentence) => {
  expect(rules(ASKED, { says: sentence })).toEqual([`The assistant told of the project: ${sentence}`])
})

test.each([
  'I updated AGENTS.md so that it never mentions the old port.',
  'All text must go to AGENTS.md.',
  'Let me check what CONTRIBUTING says about this, we must not be late.',
  'The linter rule must be off here.',
  'Renamed the folders to match the naming convention.',
  'Should we follow the naming convention here?',
])('projectRules takes no report, plan or question for a rule: %s', (sentence) => {
  expect(rules(ASKED, { says: sentence })).toEqual([])
})

describe('projectRules', () => {
  const read = (path: string, output: string): ToldStep => ({ tool: 'read', args: { path }, output })

  it('takes prohibitions of a document of rules that was read, and none of another file', () => {
    const text = '# Rules\n\n- Never push to the release branch.\n- We use tabs.\n'
    expect(rules(ASKED, read('docs/CONTRIBUTING.md', text))).toEqual([
      'Read in docs/CONTRIBUTING.md: Never push to the release branch.',
    ])
    expect(rules(ASKED, read('docs/setup.md', text))).toEqual([])
  })

  it('takes none of a document that is worked on', () => {
    const edit: ToldStep = { tool: 'write', args: { path: 'AGENTS.md', content: 'x' }, output: 'ok' }
    expect(rules(ASKED, read('AGENTS.md', 'Never push to the release branch.'), edit)).toEqual([])
  })

  it('are no constraints, and nothing that is restored or outlives a summary by itself', () => {
    const held = ledger(
      told(
        { user: 'Fix the chart. Never touch the axis.' },
        { says: 'Per CONTRIBUTING we must open an issue first.' },
        read('AGENTS.md', 'Never push to the release branch.'),
      ),
    )
    expect(held.projectRules).toHaveLength(2)
    expect(held.constraints.map(({ text }) => text)).toEqual(['Never touch the axis.'])
    expect(ledgerFacts(held).filter(({ kind }) => kind === 'constraint')).toHaveLength(1)
    expect(durableOf(held).constraints).toHaveLength(1)
  })

  it('are carried by a summary that tells them, with who told them, until the user lifts them', () => {
    const summary = '## Critical Context\n- Read in AGENTS.md: Never push to the release branch.'
    const next = (text: string) => ledger(told({ user: text }), { summary, durable: null })
    const [rule] = next('Go on with the axis.').projectRules
    expect(rule?.text).toBe('Read in AGENTS.md: Never push to the release branch.')
    expect(next('Go on with the axis.').constraints).toEqual([])
    expect(next('Forget the rule about the release branch, you may push to it now.').projectRules).toEqual([])
  })
})
