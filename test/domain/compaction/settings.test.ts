import { describe, expect, it } from 'vitest'
import { resolveReserve, resolveSettings } from '../../../src/domain/compaction/settings.ts'

const resolved = (given: Parameters<typeof resolveSettings>[0], window: number) =>
  resolveSettings(given, window).settings

describe('resolveSettings', () => {
  it.each([
    ['window minus the default reserve', {}, 200_000, 183_616],
    ['window minus a given reserve', { reserveTokens: 150_000 }, 200_000, 50_000],
    ['15 % of a window that the default would eat', {}, 8192, 8192 - 1228],
    ['15 % exactly at the edge', {}, 16_000, 13_600],
    ['the default reserve just above the edge', {}, 19_276, 19_276 - 16_384],
    ['an absolute threshold', { thresholdTokens: 90_000, thresholdPercent: 10 }, 200_000, 90_000],
    ['an absolute threshold within the window', { thresholdTokens: 900_000 }, 200_000, 199_999],
    ['a percentage', { thresholdPercent: 30 }, 200_000, 60_000],
    ['a percentage of at most 99', { thresholdPercent: 150 }, 1000, 990],
    ['no threshold of -1', { thresholdPercent: -1, thresholdTokens: -1 }, 200_000, 183_616],
  ])('takes as threshold %s', (_name, given, window, thresholdTokens) => {
    expect(resolved(given, window).thresholdTokens).toBe(thresholdTokens)
  })

  it.each([
    ['20 000 by default', {}, 200_000, 20_000, 0],
    ['half of a small threshold by default', {}, 8192, 3482, 0],
    ['what was given', { keepRecentTokens: 500 }, 8192, 500, 0],
    ['half of the threshold when more was given', { keepRecentTokens: 6964 }, 8192, 3482, 1],
  ])('keeps %s', (_name, given, window, keepRecentTokens, warnings) => {
    const { settings, warnings: told } = resolveSettings(given, window)
    expect([settings.keepRecentTokens, told.length]).toEqual([keepRecentTokens, warnings])
  })

  it('warns of an explicit reserve that leaves nothing, and lets smaller ones stand', () => {
    expect(resolveReserve(9000, 8192)).toMatchObject({
      reserveTokens: 1228,
      warnings: [expect.stringContaining('9000')],
    })
    expect(resolveReserve(8191, 8192)).toEqual({ reserveTokens: 8191, warnings: [] })
    expect(resolveReserve(5, 3).reserveTokens).toBe(1)
  })

  it('is enabled and goes on by default', () => {
    expect(resolved({}, 200_000)).toMatchObject({ enabled: true, autoContinue: true })
    expect(resolved({ enabled: false, autoContinue: false }, 200_000)).toMatchObject({
      enabled: false,
      autoContinue: false,
    })
  })
})
