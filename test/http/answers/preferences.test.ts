import type { FastifyRequest } from 'fastify'
import { describe, expect, it } from 'vitest'
import { asyncPreference, idempotencyKeyOf } from '../../../src/http/answers/preferences.ts'

const requestWith = (headers: Record<string, string>) => ({ headers }) as unknown as FastifyRequest

describe('asyncPreference', () => {
  it.each([
    ['respond-async', 0],
    ['respond-async, wait=20', 20_000],
    ['wait=20, Respond-Async', 20_000],
    ['respond-async; wait="7"', 7_000],
    ['respond-async, wait=soon', 0],
    ['return=minimal, respond-async', 0],
  ])('reads %s', (prefer, waitMs) => {
    expect(asyncPreference(requestWith({ prefer }))).toEqual({ waitMs })
  })

  it.each([[{}], [{ prefer: 'wait=20' }], [{ prefer: 'return=minimal' }], [{ prefer: 'respond-async-ish' }]])(
    'is none in %j',
    (headers) => {
      expect(asyncPreference(requestWith(headers))).toBeUndefined()
    },
  )
})

describe('idempotencyKeyOf', () => {
  it('takes printable keys and refuses what is none', () => {
    expect(idempotencyKeyOf(requestWith({}))).toBeUndefined()
    expect(idempotencyKeyOf(requestWith({ 'idempotency-key': '8e03978e-40d5-43dd' }))).toBe('8e03978e-40d5-43dd')
    for (const bad of ['', 'x'.repeat(256), 'schlüssel'])
      expect(() => idempotencyKeyOf(requestWith({ 'idempotency-key': bad }))).toThrow(/idempotency-key/)
  })
})
