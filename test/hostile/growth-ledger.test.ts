import { expect, it } from 'vitest'
import { ledger } from '../../src/domain/ledger/ledger.ts'
import { told } from '../support/told.ts'
import { growthFault } from './growth-fault.ts'
import { LONG_CONVERSATIONS } from './long-conversations.ts'

/** Steps of the smallest conversation. */
const STEPS = 500

it.each(LONG_CONVERSATIONS)(
  'ledger grows no faster than a conversation of many %s',
  { timeout: 240_000 },
  (_, stepsOf) => {
    const fault = growthFault((factor) => {
      const steps = stepsOf(factor * STEPS)
      // A copy asks for all that is read when somebody asks for it.
      return () => structuredClone(ledger(told(...steps)))
    })
    expect(fault).toBeNull()
  },
)
