import { describe, expect, it } from 'vitest'
import { ledgerFacts } from '../../../src/domain/ledger/ledger-facts.ts'
import type { Ledger } from '../../../src/domain/ledger/ledger-value.ts'

const NOTHING: Ledger = {
  goal: null,
  asks: [],
  constraints: [],
  projectRules: [],
  decisions: [],
  userDecisions: [],
  links: [],
  names: [],
  progress: [],
  files: { read: [], modified: [] },
  changes: [],
  openErrors: [],
  lastSteps: [],
  interrupted: '',
  openSteps: [],
  question: null,
  lastWords: '',
  isFinished: false,
  outcomes: [],
  state: { cwd: '', branch: '', lastCommit: '', unpushed: [], uncommitted: 0, running: [], pr: '', isLastSeen: false },
  finishedTodos: [],
  earlier: { done: [], context: [] },
}
const told = (text: string) => ({ text, turn: 1 })
const ask = (text: string, isNewest: boolean) => ({ ...told(text), isNewest, answers: '', isCarried: false })
const decision = (text: string, by: 'user' | 'assistant') => ({ ...told(text), by, question: '', isCarried: false })
const change = (text: string, isOnce: boolean) => ({ ...told(text), result: '', isOnce })
const link = (text: string) => ({ ...told(text), worth: 1 })
const factsOf = (held: Partial<Ledger>) => ledgerFacts({ ...NOTHING, ...held }).map(({ kind, text }) => [kind, text])

describe('ledgerFacts', () => {
  it('are most important first', () => {
    const facts = factsOf({
      goal: told('Move the relay. It is slow.'),
      asks: [ask('Move the relay. It is slow.', false), ask('and the tests', true)],
      constraints: [told('never touch port 48213')],
      userDecisions: [decision('take the second proposal', 'user')],
      links: [link('https://example.org/issue/7')],
      files: { read: ['src/read.ts'], modified: [{ path: 'src/a.ts', how: 'edited' }] },
      changes: [change('git push origin main', true), change('npm install left-pad', false)],
      openErrors: [{ ...told('Error: no such table'), what: 'npm test' }],
      question: { by: 'assistant', text: 'Shall I push it?' },
    })
    expect(facts).toEqual([
      ['request', 'and the tests'],
      ['constraint', 'never touch port 48213'],
      ['goal', 'Move the relay. It is slow.'],
      ['question', 'Shall I push it?'],
      ['error', '`npm test`: Error: no such table'],
      ['decision', 'take the second proposal'],
      ['link', 'https://example.org/issue/7'],
      ['file', 'src/a.ts'],
      ['command', 'git push origin main'],
    ])
  })

  it.each([
    ['nothing', {}, []],
    ['a goal that is the newest request', { goal: told('go'), asks: [ask('go', true)] }, [['request', 'go']]],
    ['a choice of the assistant', { decisions: [decision('take the second proposal', 'assistant')] }, []],
    ['a choice that says nothing without its question', { userDecisions: [decision('keep it', 'user')] }, []],
    ['a commit, which the repository knows', { links: [link('deadbeef1')] }, []],
    ['an error without a command', { openErrors: [{ ...told('it broke'), what: '' }] }, [['error', 'it broke']]],
    ['a text over several lines', { constraints: [told('never\ntouch  it')] }, [['constraint', 'never touch it']]],
  ] as const)('of %s', (_, held, expected) => {
    expect(factsOf(held)).toEqual(expected)
  })

  it('looks an error up by its line, and tells its command along', () => {
    const [fact] = ledgerFacts({ ...NOTHING, openErrors: [{ ...told('no such table'), what: 'npm test' }] })
    expect(fact).toEqual({ kind: 'error', text: '`npm test`: no such table', probe: 'no such table' })
  })

  it('keeps the newest of each kind, so that a long list crowds nothing out', () => {
    const many = Array.from({ length: 100 }, (_, at) => told(`never touch port ${at}`))
    const facts = factsOf({ constraints: many })
    expect(facts).toHaveLength(24)
    expect(facts.at(-1)).toEqual(['constraint', 'never touch port 99'])
  })

  it('shows no secret', () => {
    const [fact] = ledgerFacts({ ...NOTHING, constraints: [told('use password: hunter2hunter2 only here')] })
    expect(JSON.stringify(fact)).not.toContain('hunter2')
  })
})
