import { describe, expect, it } from 'vitest'
import { redact } from '../../../src/domain/text/redact.ts'

const KEY = 'aB3dE6gH9jK2mN5pQ8sT1vW4yZ7'
const LONG = `${KEY}${KEY}`
const NAMES =
  'password passwd passphrase pwd secret client_secret secret_access secret_access_key SECRET_KEY_BASE api_key apiKey access-key private_key encryption_key signing_key account_key auth_key master_key shared_key token AUTH_TOKEN credential credentials'.split(
    ' ',
  )
const SEPARATORS = [
  '=',
  ':',
  ': ',
  ' = ',
  ' := ',
  '"  : "',
  '": "',
  "': '",
  '`: `',
  '\\": \\"',
  '\\\\\\": "',
  '"] = "',
  ' :  ',
]

describe('redact, which looks for marks before it looks for secrets', () => {
  it.each(NAMES)('misses no assignment to %s, whatever stands between', (name) => {
    for (const separator of SEPARATORS) {
      for (const each of [name, name.toUpperCase()]) expect(redact(`${each}${separator}${KEY}`)).not.toContain(KEY)
    }
  })

  it.each([
    'Authorization: Bearer ',
    'proxy-authorization: Basic ',
    'X-Api-Key: ',
    'x-goog-api-token: ',
    'x-hub-secret: ',
    'PRIVATE-TOKEN: ',
    'ocp-apim-subscription-key: ',
    '"authorization": "token ',
    'bearer ',
    'curl --api-token ',
    'curl -u someone:',
    'https://x.test/?a=1&access_token=',
    'https://x.test/?signature=',
    'https://x.test/?sig=',
    'https://x.test/?auth=',
    'https://x.test/?X-Amz-Credential=',
    'https://x.test/?x-amz-security-token=',
    'postgres://someone:',
  ])('misses nothing behind %s', (before) => {
    const after = before.startsWith('postgres') ? '@db.test/x' : ''
    expect(redact(`${before}${KEY}${after}`)).not.toContain(KEY)
  })

  it.each([
    `sk-${KEY}`,
    ...['ghp', 'gho', 'ghu', 'ghs', 'ghr'].map((kind) => `${kind}_${KEY}`),
    `github_pat_${KEY}`,
    `glpat-${KEY}`,
    ...['a', 'b', 'e', 'o', 'p', 'r', 's'].map((kind) => `xox${kind}-${KEY}`),
    `xapp-${KEY}`,
    `AIza${LONG.slice(0, 35)}`,
    'AKIAIOSFODNN7QWERTYU',
    'ASIAIOSFODNN7QWERTYU',
    `ya29.${KEY}`,
    `npm_${LONG.slice(0, 36)}`,
    `hf_${KEY}`,
    `pypi-${LONG}`,
    `SG.${KEY}.${KEY}`,
    `gsk_${KEY}`,
    `xai-${KEY}`,
    `rk_live_${KEY}`,
    `sk_test_${KEY}`,
    `whsec_${KEY}`,
    `dop_v1_${'a1b2c3d4'.repeat(6)}`,
    ...['at', 'ss', 'ca', 'pa'].map((kind) => `shp${kind}_${'a1b2c3d4'.repeat(4)}`),
    `eyJ${KEY}.${KEY}.${KEY}`,
    `hooks.slack.com/services/T00000000/B00000000/${KEY}`,
    `123456789:AA${LONG.slice(0, 33)}`,
  ])('misses no key of a vendor: %s', (key) => {
    expect(redact(`use ${key} here`)).toBe('use [REDACTED] here')
    expect(redact(`"${key}"`)).toBe('"[REDACTED]"')
  })
})
