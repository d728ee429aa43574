import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { ANONYMOUS, createKeyRing } from '../../src/http/key-ring.ts'

const keyOf = (name: string, key: string, more: object = {}) => ({
  name,
  sha256: createHash('sha256').update(key).digest('hex'),
  models: ['*'],
  endpoints: ['*'],
  weight: 1,
  admin: false,
  ...more,
})

describe('createKeyRing', () => {
  it('takes everybody where no key is configured', () => {
    expect(createKeyRing([]).find([])).toEqual({ caller: ANONYMOUS })
  })

  it('takes the first key that is known', () => {
    const ring = createKeyRing([keyOf('one', 'k1'), keyOf('two', 'k2', { models: ['alpha/*'], admin: true })])
    expect(ring.find(['unknown', 'k2', 'k1'])).toMatchObject({
      caller: { name: 'two', models: ['alpha/*'], admin: true },
      key: 'k2',
    })
    expect(ring.find(['unknown'])).toBeUndefined()
    expect(ring.find([])).toBeUndefined()
  })

  it('gives the limits of keys, and none of strangers', () => {
    const ring = createKeyRing([keyOf('one', 'k1', { weight: 3, maxConcurrency: 2 })])
    expect(ring.limitsOf('one')).toMatchObject({ weight: 3, maxConcurrency: 2 })
    expect(ring.limitsOf('anonymous')).toEqual({ weight: 1 })
    expect([ring.has('one'), ring.has('anonymous'), ring.names()]).toEqual([true, false, ['one']])
  })

  it('opens to the new keys only, once they are replaced', () => {
    const ring = createKeyRing([keyOf('one', 'k1')])
    ring.replace([keyOf('two', 'k2')])
    expect([ring.find(['k1']), ring.find(['k2'])?.caller.name, ring.has('one')]).toEqual([undefined, 'two', false])
  })
})
