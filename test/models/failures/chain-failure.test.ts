import { describe, expect, it } from 'vitest'
import { chainFailure } from '../../../src/models/failures/chain-failure.ts'
import { DeadlineError } from '../../../src/models/failures/deadline.ts'
import type { AttemptOutcome } from '../../../src/models/model.ts'
import { ModelError } from '../../../src/models/model-error.ts'
import { row } from '../../support/fake-model.ts'

function failed(outcomes: readonly AttemptOutcome[], facts = {}): ModelError {
  const attempts = outcomes.map((outcome, i) => row(`m${i}/small`, outcome))
  return new ModelError('m/small', 'server_error', { attempts, ...facts })
}

describe('chainFailure', () => {
  it.each<[string, AttemptOutcome[], string]>([
    ['queues alone', ['queue_full', 'queue_timeout'], 'overloaded'],
    ['queues beside an open breaker', ['queue_full', 'breaker_open'], 'overloaded'],
    ['breakers and resting keys alone', ['breaker_open', 'key_resting'], 'no-model-available'],
    ['permanent faults', ['auth', 'quota', 'not_found', 'bad_request', 'refused', 'not_a_summary'], 'models-unusable'],
    ['a permanent fault beside skipped rows', ['breaker_open', 'auth'], 'models-unusable'],
    ['overflow beside another permanent fault', ['overflow', 'bad_request'], 'models-unusable'],
    ['overflow beside a model that was not asked', ['overflow', 'breaker_open'], 'models-unusable'],
    ['one passing fault', ['bad_request', 'server_error'], 'models-failed'],
    ['a blank answer', ['empty'], 'models-failed'],
    ['a failed mixture', ['references_failed'], 'models-failed'],
    ['a full queue beside a permanent fault', ['queue_full', 'bad_request'], 'models-failed'],
    ['overflow everywhere', ['overflow', 'overflow'], 'nothing-fits'],
  ])('answers for %s', (_name, outcomes, code) => {
    expect(chainFailure(failed(outcomes)).code).toBe(code)
  })

  it('says that keys resting only for auth or quota will not come back', () => {
    const of = (...permanent: boolean[]) => {
      const errors = permanent.map((one) => new ModelError('m/small', 'key_resting', { permanent: one }))
      const rows = permanent.map(() => 'key_resting' as const)
      return chainFailure(failed(rows, { permanent: permanent.at(-1), cause: new AggregateError(errors) })).code
    }
    expect(of(true, true)).toBe('models-unusable')
    expect(of(false, true)).toBe('no-model-available')
  })

  it('says when to come back', () => {
    expect(chainFailure(failed(['key_resting'], { retryAfterMs: 45_000 })).extras.retryAfterMs).toBe(45_000)
    expect(chainFailure(failed(['queue_full'])).extras.retryAfterMs).toBeGreaterThan(0)
  })

  it('answers 504 for a deadline whatever came before it', () => {
    const error = chainFailure(new DeadlineError('chain', { attempts: [row('a', 'bad_request')] }))
    expect(error.code).toBe('deadline-exceeded')
    expect(error.extras.attempts).toHaveLength(1)
  })

  it('names the cause of each candidate within 200 characters', () => {
    const short = chainFailure(failed(['server_error', 'timeout'])).message
    expect(short).toContain('m0/small server_error')
    expect(short).toContain('m1/small timeout')
    const attempts = Array.from({ length: 40 }, (_, i) => row(`provider-with-a-long-name/model-${i}`, 'timeout'))
    const long = chainFailure(new ModelError('m', 'timeout', { attempts })).message
    expect(long.length).toBeLessThanOrEqual(200)
    expect(long).toMatch(/and \d+ more\.$/)
  })

  it('counts the attempts of one candidate instead of repeating them', () => {
    const attempts = [row('a', 'server_error'), row('a', 'server_error')]
    expect(chainFailure(new ModelError('a', 'server_error', { attempts })).message).toContain('a server_error ×2')
  })
})
