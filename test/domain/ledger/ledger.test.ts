import { describe, expect, it } from 'vitest'
import { durableOf, readDurable } from '../../../src/domain/ledger/durable-ledger.ts'
import { ledger } from '../../../src/domain/ledger/ledger.ts'
import { asEarlier } from '../../../src/domain/ledger/previous/as-earlier.ts'
import { withDurable } from '../../../src/domain/ledger/previous/with-durable.ts'
import { type ToldStep, told } from '../../support/told.ts'

const RULE = 'Never write to the production bucket from a test.'
const steps = (...each: ToldStep[]): string[] =>
  ledger(told(...each)).openSteps.map(({ kind, text }) => `${kind}: ${text}`)

describe('ledger', () => {
  it('marks the newest request and keeps the first as the goal', () => {
    const held = ledger(
      told({ user: 'Build the importer.' }, { says: 'Built.' }, { user: 'Now document it.' }, { user: 'ok' }),
    )
    expect(held.goal?.text).toBe('Build the importer.')
    expect(held.asks.filter(({ isNewest }) => isNewest).map(({ text }) => text)).toEqual(['Now document it.'])
  })

  it('drops a rule that the user lifted, and no other', () => {
    const held = ledger(
      told(
        { user: `Never push to main. ${RULE}` },
        { says: 'Noted.' },
        { user: 'The freeze is over, you may push to main again.' },
      ),
    )
    expect(held.constraints.map(({ text }) => text)).toEqual([RULE])
  })

  it('takes an answer to a question for a decision of the user, and an option picked in a tool', () => {
    const held = ledger(
      told(
        { user: 'Plan the queue.' },
        { says: 'Postgres or SQLite?' },
        { user: 'use SQLite, the box has no network' },
        {
          tool: 'AskUserQuestion',
          args: { questions: [{ question: 'Move the tests?' }] },
          output: 'User has answered your questions: "Move the tests?"="Only code". You can now continue.',
        },
      ),
    )
    expect(held.decisions.filter(({ by }) => by === 'user').map(({ text }) => text)).toEqual([
      'use SQLite, the box has no network',
      expect.stringContaining('Only code'),
    ])
  })

  it('takes an announced step for next until a call carried it out', () => {
    const announced = { says: 'Next I will write docs/hooks.md. After that I will add the retry to src/queue.ts.' }
    const write = { tool: 'write', args: { path: 'docs/hooks.md' }, output: 'ok' }
    expect(steps({ user: 'Document the hooks.' }, announced, write, { says: 'docs/hooks.md is written.' })).toEqual([
      'announced: After that I will add the retry to src/queue.ts.',
    ])
  })

  it('leaves an outcome with its link for every closed turn', () => {
    const held = ledger(
      told(
        { user: 'Open a PR.' },
        { says: 'Done.\n\nOpened PR:\n\nhttps://github.com/a/b/pull/5' },
        { user: 'Thanks.' },
      ),
    )
    expect(held.outcomes[0]?.text).toContain('https://github.com/a/b/pull/5')
  })
})

describe('durableOf', () => {
  it('is bounded, newest first to stay, and comes back as it went', () => {
    const asks = Array.from({ length: 60 }, (_, n) => ({
      user: `Item ${n}. Never rename the exported function number ${n} of module ${n}.`,
    }))
    const durable = durableOf(ledger(told(...asks)))
    expect(Buffer.byteLength(JSON.stringify(durable))).toBeLessThanOrEqual(4096)
    expect(durable.constraints.at(-1)?.text).toContain('number 59 ')
    expect(readDurable(JSON.parse(JSON.stringify(durable)))).toEqual(durable)
    expect(readDurable('torn')).toBeNull()
  })

  it('gives links the places that rules and decisions leave free, and never holds more than 40', () => {
    const links = (n: number) => Array.from({ length: n }, (_, i) => `https://acme.test/report/${i}`)
    const steps = links(20).map((link, i) => ({ user: `Read ${link} and tell number ${i}.` }))
    const durable = durableOf(ledger(told(...steps)))
    expect(durable.links.map(({ text }) => text)).toEqual(links(20))
    const full = durableOf(
      ledger(told(...steps, ...links(30).map((_, i) => ({ user: `Never touch table number ${i}.` })))),
    )
    expect(full.links.length).toBeGreaterThanOrEqual(7)
    expect(1 + full.constraints.length + full.decisions.length + full.links.length).toBeLessThanOrEqual(40)
  })

  it('brings back what the summary before lost, once', () => {
    const durable = durableOf(ledger(told({ user: `Build the importer. ${RULE}` }, { says: 'Built.' })))
    const shown = withDurable('## Goal\n- The importer', durable)
    expect(shown).toContain(`- User constraint: ${RULE}`)
    const held = ledger(told({ user: 'Document it.' }), { summary: shown, durable })
    expect(held.constraints.map(({ text }) => text)).toEqual([RULE])
    expect(held.goal?.text).toContain('Build the importer.')
  })
})

it('asEarlier settles what waited for the turn that is told beside the summary', () => {
  const summary =
    '- Newest request: A\n- [x] Came of the newest request: B\n- The assistant asked and waits for an answer: C?\n1. Nothing is open: the last request was finished.'
  expect(asEarlier(summary)).toBe('- Then: A\n- [x] “A” → B')
})
