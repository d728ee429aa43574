import { describe, expect, it } from 'vitest'
import { maskVendorKeys, VENDOR_KEYS } from '../../../../src/domain/text/redact/vendor-keys.ts'
import { MASK, redact } from '../../../../src/domain/text/redact.ts'
import { SIGNS, signsIn } from '../../../../src/domain/text/signs.ts'

const STRETCH = 'A2C4E6G8'.repeat(12)
const ROWS = VENDOR_KEYS.flatMap((row) => row.starts.map((start) => [start, row] as const))

describe('VENDOR_KEYS', () => {
  it.each(ROWS)('a key that starts with %s is masked by its row alone', (start, { stretches, isExact, behind }) => {
    const ahead = behind === undefined ? '' : '123456789'
    const body = stretches.map(({ of, least }) => {
      const text = of.includes('A-Z') ? STRETCH : STRETCH.toLowerCase().replace(/[g-z]/g, 'a')
      return isExact === true ? text.slice(0, least) : text.slice(0, Math.max(least, 60))
    })
    const key = `${ahead}${start}${body.join('.')}`
    expect(signsIn(`use ${key} here`) & SIGNS.vendor).toBe(SIGNS.vendor)
    expect(redact(`use ${key} here`)).toBe(`use ${MASK} here`)
  })

  it('finds a key inside a stretch that another row refused', () => {
    expect(maskVendorKeys('xai-none-ghp_A2C4E6G8A2C4E6G8A2C4')).toBe(`xai-none-${MASK}`)
  })
})
