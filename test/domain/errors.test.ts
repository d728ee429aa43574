import { describe, expect, it } from 'vitest'
import { asRecapdError } from '../../src/domain/errors.ts'

describe('asRecapdError', () => {
  it('gives an unforeseen error a text of ours and keeps it as the cause', () => {
    const thrown = new TypeError('Cannot read violet-otter of undefined')
    const error = asRecapdError(thrown)
    expect(error).toMatchObject({ code: 'internal', extras: { cause: thrown } })
    expect(error.message).not.toContain('violet-otter')
  })

  it.each([undefined, null, 'text', 7, { code: 'FST_ERR_NOBODY_KNOWS' }])('takes whatever was thrown: %j', (thrown) => {
    expect(asRecapdError(thrown).code).toBe('internal')
  })
})
