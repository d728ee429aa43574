import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { redact } from '../../../src/domain/text/redact.ts'
import { redactAll } from '../../../src/domain/text/redact-all.ts'
import { propertyRuns } from '../../support/property-runs.ts'

const key = ['ghp_', 'x9Y8w7V6u5T4s3R2q1P0o9N8m7L6k5J4i3H2'].join('')
const pem = (word: string) => ['-----', word, ' RSA PRIVATE KEY-----'].join('')

describe('redactAll', () => {
  it('gives what each text alone would give', () => {
    const piece = fc.oneof(
      fc.string(),
      fc.constantFrom(
        `use ${key} here`,
        'password: ',
        'hunter2secret',
        'token=',
        '--password',
        'Authorization: Bearer',
      ),
      fc.constantFrom(pem('BEGIN'), `${pem('BEGIN')}\nMIIEabcd\n`, pem('END'), 'https://me:', 'word@host', '\n'),
    )
    const clean = piece.map((text) => text.replaceAll('\u0000', ''))
    fc.assert(
      fc.property(fc.array(clean, { maxLength: 12 }), (texts) => {
        expect(redactAll(texts)).toEqual(texts.map(redact))
      }),
      { seed: 21, numRuns: propertyRuns(700) },
    )
  })

  it('keeps the order over many batches', () => {
    const texts = Array.from(
      { length: 400 },
      (_, index) => `${index} ${'x '.repeat(500)}${index % 90 === 0 ? key : ''}`,
    )
    const redacted = redactAll(texts)
    expect(redacted.map((text) => Number.parseInt(text, 10))).toEqual(texts.map((_, index) => index))
    expect(redacted.join('')).not.toContain(key)
  })
})
