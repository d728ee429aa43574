import { describe, expect, it, test } from 'vitest'
import { isPreference } from '../../../../src/domain/ledger/constraints/project-rules.ts'
import { durableOf } from '../../../../src/domain/ledger/durable-ledger.ts'
import { ledger } from '../../../../src/domain/ledger/ledger.ts'
import { ledgerFacts } from '../../../../src/domain/ledger/ledger-facts.ts'
import { withDurable } from '../../../../src/domain/ledger/previous/with-durable.ts'
import { type ToldStep, told } from '../../../support/told.ts'

const rules = (...steps: ToldStep[]): string[] => ledger(told(...steps)).constraints.map(({ text }) => text)
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
  expect(rules(ASKED, { says: sentence })).toEqual([`Project rule: ${sentence}`])
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
      'Project rule: Never push to the release branch.',
    ])
    expect(rules(ASKED, read('docs/setup.md', text))).toEqual([])
  })

  it('takes none of a document that is worked on', () => {
    const edit: ToldStep = { tool: 'write', args: { path: 'AGENTS.md', content: 'x' }, output: 'ok' }
    expect(rules(ASKED, read('AGENTS.md', 'Never push to the release branch.'), edit)).toEqual([])
  })

  it('tells them before the rules of the user, and the audit puts back those of the user alone', () => {
    const held = ledger(
      told({ user: 'Fix the chart. Never touch the axis.' }, { says: 'Per CONTRIBUTING we must open an issue first.' }),
    )
    expect(held.constraints.map(({ text }) => text)).toEqual([
      'Project rule: Per CONTRIBUTING we must open an issue first.',
      'Never touch the axis.',
    ])
    const facts = ledgerFacts(held).filter(({ kind }) => kind === 'constraint')
    expect(facts.map(({ text }) => text)).toEqual(['Never touch the axis.'])
  })

  it('outlive a summary that lost them, under their own name', () => {
    const first = ledger(told(ASKED, { says: 'Per CONTRIBUTING we must open an issue first.' }))
    const kept = withDurable('## Goal\n- Fix the chart.', durableOf(first))
    expect(kept).toContain('- Project rule: Per CONTRIBUTING we must open an issue first.')
    const next = ledger(told({ user: 'Go on with the axis.' }), { summary: kept, durable: null })
    expect(next.constraints.map(({ text }) => text)).toEqual([
      'Project rule: Per CONTRIBUTING we must open an issue first.',
    ])
  })
})

test.each([
  ['User prefers **E2E tests only** - no unit tests.', true],
  ['**User does not want** a new dependency', true],
  ["The user doesn't want the lock file touched", true],
  ['User wants to add an export', false],
  ['The importer prefers the cache', false],
])('isPreference reads a rule among the lessons of an earlier summary: %s', (line, wanted) => {
  expect(isPreference(line)).toBe(wanted)
  const held = ledger(told({ user: 'Go on with the export of the price list.' }), {
    summary: `## Critical Context\n- ${line}`,
    durable: null,
  })
  expect(held.constraints.map(({ text }) => text)).toEqual(wanted ? [line] : [])
})
