import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import { appOfTest } from '../../support/build-test-app.ts'

const KEY = 'rk_small_only'

it.each([
  [{ prefer: 'respond-async' }, 'nobody/none', 422, 'unknown-model'],
  [{ 'idempotency-key': 'k-1' }, 'nobody/none', 422, 'unknown-model'],
  [{ prefer: 'respond-async' }, 'alpha/big', 403, 'forbidden'],
])(
  'answerAsJob is not reached with %o by a request whose model %s may not answer: %i %s',
  async (asked, model, status, code) => {
    const sha256 = createHash('sha256').update(KEY).digest('hex')
    const service = await appOfTest({ config: { auth: { keys: [{ name: 'one', sha256, models: ['alpha/small'] }] } } })
    const answer = await service.app.inject({
      method: 'POST',
      url: '/summarize',
      headers: { 'x-api-key': KEY, ...asked },
      payload: { systemPrompt: 'S.', prompt: 'P.', model },
    })
    expect([answer.statusCode, answer.json().code]).toEqual([status, code])
    expect(service.provider.requests).toHaveLength(0)
  },
)
