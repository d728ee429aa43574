import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isLongHint, retryHint } from '../../../src/models/failures/retry-hint.ts'

const NOW = Date.parse('Wed, 21 Oct 2026 07:28:00 GMT')
const headers = (values: Record<string, string>) => ({ get: (name: string) => values[name] ?? null })

describe('retryHint from headers', () => {
  it.each([
    ['milliseconds', { 'retry-after-ms': '250' }, 250],
    ['milliseconds before seconds', { 'retry-after-ms': '250', 'retry-after': '9' }, 250],
    ['whole seconds', { 'retry-after': '7' }, 7000],
    ['parts of a second', { 'retry-after': '1.5' }, 1500],
    ['a date ahead', { 'retry-after': 'Wed, 21 Oct 2026 07:28:30 GMT' }, 30_000],
    ['a date gone by', { 'retry-after': 'Wed, 21 Oct 2026 07:27:30 GMT' }, 0],
    ['a negative number', { 'retry-after': '-3' }, 0],
    ['the header sent twice: the longer wait', { 'retry-after': '5, 7' }, 7000],
    ['reset in ms, as a delta', { 'x-ratelimit-reset-ms': '1500' }, 1500],
    ['reset in ms, as epoch ms', { 'x-ratelimit-reset-ms': String(NOW + 1500) }, 1500],
    ['reset of requests', { 'x-ratelimit-reset-requests': '1s' }, 1000],
    ['reset of tokens', { 'x-ratelimit-reset-tokens': '6m0s' }, 360_000],
    [
      'reset of what is used up, not of what is left',
      {
        'x-ratelimit-remaining-requests': '12',
        'x-ratelimit-reset-requests': '1s',
        'x-ratelimit-remaining-tokens': '0',
        'x-ratelimit-reset-tokens': '6m0s',
      },
      360_000,
    ],
    ['reset as a delta in seconds', { 'x-ratelimit-reset': '30' }, 30_000],
    ['reset as epoch seconds', { 'x-ratelimit-reset': String(NOW / 1000 + 30) }, 30_000],
    ['reset as epoch ms', { 'x-ratelimit-reset': String(NOW + 30_000) }, 30_000],
    ['reset-after', { 'x-ratelimit-reset-after': '4' }, 4000],
    ['more than a day is a day', { 'retry-after': '99999999' }, 86_400_000],
    ['junk passes on to the next source', { 'retry-after': 'not-a-number', 'x-ratelimit-reset': '2' }, 2000],
  ])('%s', (_name, values, expected) => {
    expect(retryHint({ headers: headers(values) }, NOW)).toBe(expected)
  })

  it.each([['not-a-number'], [''], ['soon'], ['NaN'], ['1e3']])('takes %j for no hint', (value) => {
    expect(retryHint({ headers: headers({ 'retry-after': value }) }, NOW)).toBeUndefined()
  })

  it('asks headers before the text', () => {
    expect(retryHint({ headers: headers({ 'retry-after': '2' }), text: 'try again in 9s' }, NOW)).toBe(2000)
  })
})

describe('retryHint from text', () => {
  it.each([
    ['Rate limit reached. Please try again in 1.5s.', 1500],
    ['Please retry in 12.5s', 12_500],
    ['Please retry in 34.074824224s.', 34_075],
    ['try again in 800ms', 800],
    ['Please try again in 7m12s. Visit the page', 432_000],
    ['Your quota will reset after 18h31m10s', 66_670_000],
    ['quota will reset after 10m15s.', 615_000],
    ['quota will reset after 39s', 39_000],
    ['try again in 20 seconds', 20_000],
    ['try again in 6 minutes', 360_000],
    ['try again in 5', 5000],
    ['retry-after: 5', 5000],
    ['Remote compaction failed (429 Too Many Requests retry-after=5;)', 5000],
    ['retry-after-ms=1250', 1250],
    ['retry-after: Wed, 21 Oct 2026 07:28:30 GMT', 30_000],
    ['x-ratelimit-reset-ms: 700', 700],
    ['{"@type":"RetryInfo","retryDelay":"34.074824224s"}', 34_075],
    ['"retryDelay": "250ms"', 250],
  ])('%s', (text, expected) => {
    expect(retryHint({ text }, NOW)).toBe(expected)
  })

  it('finds nothing where no time is named', () => {
    expect(retryHint({ text: 'Please try again later, or retry in a moment' }, NOW)).toBeUndefined()
  })

  it('never answers a negative, fractional or endless wait, whatever it reads', () => {
    const name = fc.constantFrom('retry-after', 'retry-after-ms', 'x-ratelimit-reset', 'x-ratelimit-reset-tokens')
    fc.assert(
      fc.property(name, fc.string(), fc.string(), (key, value, text) => {
        const hint = retryHint({ headers: headers({ [key]: value }), text: `retry in ${text}` }, NOW) ?? 0
        return Number.isInteger(hint) && hint >= 0 && hint <= 86_400_000
      }),
      { seed: 7, numRuns: 500 },
    )
  })

  it('reads a long text in linear time', () => {
    const text = `${'retry in 1h'.repeat(20_000)}${'9'.repeat(100_000)}`
    const startedAt = performance.now()
    retryHint({ text }, NOW)
    expect(performance.now() - startedAt).toBeLessThan(500)
  })
})

describe('isLongHint', () => {
  it('is long over maxDelayMs or past the deadline, never without a hint', () => {
    const limits = { maxDelayMs: 30_000, leftMs: 10_000 }
    expect([undefined, 9_000, 10_001, 30_001].map((hint) => isLongHint(hint, limits))).toEqual([
      false,
      false,
      true,
      true,
    ])
  })
})
