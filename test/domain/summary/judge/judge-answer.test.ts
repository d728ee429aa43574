import { describe, expect, it } from 'vitest'
import type { HardFact } from '../../../../src/domain/ledger/ledger-facts.ts'
import { expectedAnswer, expectedOfPart } from '../../../../src/domain/summary/judge/expected-answer.ts'
import { isBetterThanNothing, verdict } from '../../../../src/domain/summary/judge/judge-answer.ts'

const fact = (kind: HardFact['kind'], text: string): HardFact => ({ kind, text, probe: text })
const FACTS = [
  fact('request', 'find the invoice that is counted twice'),
  fact('constraint', 'amounts must stay in cents'),
  fact('error', 'expected 212 to be 211'),
  fact('file', 'src/queue/invoices.ts'),
  fact('file', 'docs/invoices.md'),
]
const INSTRUCTIONS =
  '## Goal\n[What the user wants from the agent]\n\n## Done\n- [x] [done]\n\n## Blocked\n\n## Next Steps'
const WORDS = [
  'please move the invoices of the desk to the queue and find out which of them is counted twice. '.repeat(4),
]
const expected = expectedAnswer({
  instructions: INSTRUCTIONS,
  region: { facts: FACTS, userWords: WORDS },
  previousSummary: '## Goal\nold',
})
const GOOD =
  '## Goal\nFind the invoice that is counted twice.\n\n## Done\n- src/queue/invoices.ts and docs/invoices.md, amounts stay in cents\n\n## Blocked\n- expected 212 to be 211\n\n## Next Steps\n- (none)'
const filled = (more: string): string => GOOD.replace('- (none)', more)
const headings = (mark: (title: string) => string): string =>
  GOOD.replace(/^## (.*)$/gm, (_, title: string) => mark(title))

describe('verdict', () => {
  it.each([
    ['whole', GOOD, 'ok'],
    ['bold headings', headings((title) => `**${title}**`), 'ok'],
    ['underlined headings', headings((title) => `${title}\n====`), 'ok'],
    ['headings of another level', headings((title) => `#### ${title}:`), 'ok'],
    ['half of the headings', GOOD.replace(/## Blocked[\s\S]*/, ''), 'ok'],
    ['a line five times', filled('- ran the tests\n'.repeat(5)), 'ok'],
    ['two lines of the transcript', filled('[User]: go\n[Assistant]: yes'), 'ok'],
    ['blank', ' \u200b\n', 'blank'],
    ['headings of its own', headings((title) => `## My ${title}`), 'not-a-summary'],
    ['a placeholder', filled('[What the user wants from the agent]'), 'not-a-summary'],
    ['a line six times', filled('- ran the tests\n'.repeat(6)), 'not-a-summary'],
    ['the transcript', filled('[User]: go\n[Assistant]: yes\n[Tool result]: ok'), 'not-a-summary'],
    [
      'empty sections',
      '## Goal\n(none)\n\n## Done\n- (none)\n\n## Blocked\n- none\n\n## Next Steps\n',
      'not-a-summary',
    ],
    ['a refusal', GOOD.replace('Find the', "I'm sorry, but I can't help with the"), 'not-a-summary'],
    ['a plan', GOOD.replace('Find the', 'Sure! I will find the'), 'not-a-summary'],
    ['a tool call', filled('<tool_call>\n{"name": "bash"}\n</tool_call>'), 'not-a-summary'],
    [
      'few facts',
      '## Goal\nSome work of a general kind.\n\n## Done\n- work\n\n## Blocked\n- no\n\n## Next Steps\n- more',
      'soft',
    ],
    [
      'another language',
      GOOD.replace(
        '- (none)',
        'Die Rechnungen werden nicht mehr mit dem Zeitplan erledigt und das ist auch für die anderen Aufgaben so, die noch nicht fertig sind. '.repeat(
          3,
        ),
      ),
      'soft',
    ],
    [
      'cut inside a sentence with half of the headings',
      '## Goal\nx\n\n## Done\nWrote src/queue/invoices.ts and the',
      'cut',
    ],
  ])('of an answer with %s is %s', (_, answer, wanted) => {
    expect(verdict(answer, expected)).toBe(wanted)
  })

  it('of the previous summary word for word, while there is news, is not-a-summary', () => {
    const facts = [...FACTS, fact('request', 'send the list of doubles to the desk')]
    expect(verdict(GOOD, { ...expected, facts, previousSummary: `${GOOD}\n` })).toBe('not-a-summary')
    expect(verdict(GOOD, { ...expected, previousSummary: `${GOOD}\n` })).toBe('ok')
  })

  it('of a part expects no facts of the whole', () => {
    expect(verdict('## Goal\nx\n\n## Done\n- y.', expectedOfPart(expected))).toBe('ok')
  })

  it('without a template takes any heading', () => {
    expect(verdict('## Own\nx', 'headings')).toBe('ok')
    expect(verdict('no heading', 'headings')).toBe('not-a-summary')
    expect(verdict('no heading', 'text')).toBe('ok')
  })
})

it('isBetterThanNothing wants a fifth of the facts, and facts', () => {
  expect(isBetterThanNothing('expected 212 to be 211', expected)).toBe(true)
  expect(isBetterThanNothing('nothing at all', expected)).toBe(false)
  expect(isBetterThanNothing(GOOD, { ...expected, facts: [] })).toBe(false)
})

it('verdict keeps up with hostile answers', () => {
  for (const unit of ['# a\n', '- x\n', '**', '=', '\n', '[User]: ', '<', '"', ' ', '```\n'])
    expect(() => verdict(unit.repeat(500_000 / unit.length), expected)).not.toThrow()
})
