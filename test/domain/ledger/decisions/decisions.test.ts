import { expect, it } from 'vitest'
import { ledger } from '../../../../src/domain/ledger/ledger.ts'
import { conversationOf } from '../../../support/conversation-of.ts'

const PROPOSED = 'I will use the ring buffer because the queue loses rows under load.'
const CHOSEN = 'Use the ring buffer, the queue loses rows under load.'

it('a choice of the user stays the user’s, though the assistant said it before', () => {
  const { decisions, userDecisions } = ledger(
    conversationOf([
      { role: 'user', text: 'How should the rows be kept?' },
      { role: 'assistant', text: `${PROPOSED}\n\nShall I use the ring buffer?` },
      { role: 'user', text: CHOSEN },
    ]),
  )
  expect(userDecisions.map(({ text }) => text)).toEqual([CHOSEN])
  expect(decisions.filter(({ by }) => by === 'user')).toEqual(userDecisions)
})

it('what the user decided the assistant’s words do not tell again', () => {
  const { decisions } = ledger(
    conversationOf([
      { role: 'user', text: 'How should the rows be kept?' },
      { role: 'assistant', text: 'Shall I use the ring buffer?' },
      { role: 'user', text: CHOSEN },
      { role: 'assistant', text: `I decided to use the ring buffer, the queue loses rows under load.` },
    ]),
  )
  expect(decisions.map(({ by }) => by)).toEqual(['user'])
})
