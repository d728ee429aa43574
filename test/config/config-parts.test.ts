import { describe, expect, it } from 'vitest'
import { keyLines } from '../../src/config/key-lines.ts'
import { secretMasker } from '../../src/domain/text/mask-secrets.ts'
import { trustOf, trustProxyOption } from '../../src/http/trust-proxy.ts'

describe('keyLines', () => {
  it('takes one key a line or between commas, and no comment, whatever stands in it', () => {
    expect(keyLines('# used by ci, nightly\r\nci:k1\r\n\n  # old: k2\n#k3\nk4, k5\n')).toEqual(['ci:k1', 'k4', 'k5'])
  })
})

describe('secretMasker', () => {
  it('masks what it knows, as it is, in JSON and in URLs, the longer one first', () => {
    const mask = secretMasker(['sk-secret', 'sk-secret-of-two', 'p@ss"word', 'key'])
    expect(mask('sk-secret-of-two sk-secret key')).toBe('[secret] [secret] key')
    expect(mask(JSON.stringify({ a: 'p@ss"word' }))).toBe('{"a":"[secret]"}')
    expect(mask('redis://:p%40ss%22word@h')).toBe('redis://:[secret]@h')
  })
})

describe('trustProxyOption', () => {
  it.each([
    [false, false],
    ['true', true],
    ['2', 2],
    [1, 1],
    ['10.0.0.0/8', '10.0.0.0/8'],
    [
      ['10.0.0.0/8', 'fd00::/8', 'loopback'],
      ['10.0.0.0/8', 'fd00::/8', 'loopback'],
    ],
  ])('reads %j', (given, expected) => {
    expect(trustProxyOption.parse(given)).toEqual(expected)
  })

  it.each([['300.1.2.3/99'], ['10.0.0.0/33'], ['somewhere'], [-1], [['10.0.0.0/8', 'x']], [[]]])(
    'refuses %j',
    (given) => {
      expect(trustProxyOption.safeParse(given).success).toBe(false)
    },
  )

  it('counts hops from the peer on', () => {
    const trust = trustOf(1)
    expect(typeof trust === 'function' && [trust('10.0.0.1', 0), trust('10.0.0.2', 1)]).toEqual([true, false])
  })
})
