import { describe, expect, it } from 'vitest'
import { contextTokens } from '../../../src/domain/compaction/measured-usage.ts'
import { resolveSettings } from '../../../src/domain/compaction/settings.ts'
import { failedAnswerId, judgeTrigger, lastErrorText } from '../../../src/domain/compaction/trigger.ts'
import { SessionBuilder, text, usage } from '../../support/session-builder.ts'

function measured(total: number, fields: Readonly<Record<string, unknown>> = {}): SessionBuilder {
  const builder = new SessionBuilder()
  builder.user('hello')
  builder.assistant('hi', [], { usage: { ...usage(total), ...fields } })
  return builder
}

function verdictOf(builder: SessionBuilder, window = 200_000, given = {}, isErrorOverflow = false) {
  return judgeTrigger({ live: builder.live(), settings: resolveSettings(given, window).settings, isErrorOverflow })
}

describe('contextTokens', () => {
  it('is the last measurement plus what came after it', () => {
    const builder = measured(5000)
    builder.user(text(1000))
    expect(contextTokens(builder.live())).toBe(6000)
  })

  it('is never under the estimate of what is stored', () => {
    const builder = new SessionBuilder()
    builder.user(text(5000))
    builder.assistant('done', [], { usage: usage(6000) })
    expect(contextTokens(builder.live())).toBe(6000)
    expect(contextTokens(builder.live(), 900)).toBe(5100)
    expect(contextTokens(builder.live(), 5000)).toBe(5001)
  })

  it('prefers contextTokens, adds up parts without a total, skips zeros, aborted and failed answers', () => {
    expect(contextTokens(measured(9000, { contextTokens: 7000 }).live())).toBe(7000)
    expect(contextTokens(measured(0, { totalTokens: 0, input: 700, cacheRead: 200, output: 100 }).live())).toBe(1000)
    const builder = measured(9000)
    builder.assistant('', [], { stopReason: 'aborted', usage: usage(99_000) })
    builder.assistant('', [], { stopReason: 'error', usage: usage(99_000) })
    builder.assistant('', [], { usage: { input: 0, output: 0, totalTokens: 0 } })
    expect(contextTokens(builder.live())).toBe(9000)
  })

  it('ignores what was measured before the last compaction or reset', () => {
    const builder = measured(190_000)
    builder.compaction('story', builder.rows.at(-1)?.['id'] as string)
    builder.user(text(10))
    expect(contextTokens(builder.live())).toBe(2 + 1 + 10)
    const reset = measured(190_000)
    reset.add({ type: 'reset_boundary' })
    reset.user(text(10))
    expect(contextTokens(reset.live())).toBe(10)
  })

  it('counts the previous summary and what it kept', () => {
    const builder = new SessionBuilder()
    builder.user(text(1000))
    const kept = builder.user(text(300))
    builder.compaction(text(50), kept)
    builder.user(text(7))
    expect(contextTokens(builder.live())).toBe(357)
  })
})

describe('judgeTrigger', () => {
  it.each([
    [183_616, false, null],
    [183_617, true, 'threshold'],
  ])('compares strictly: %i used', (total, shouldCompact, reason) => {
    expect(verdictOf(measured(total))).toMatchObject({
      shouldCompact,
      reason,
      contextTokens: total,
      thresholdTokens: 183_616,
    })
  })

  it('says that it is switched off only when there was something to do', () => {
    expect(verdictOf(measured(190_000), 200_000, { enabled: false })).toMatchObject({
      shouldCompact: false,
      reason: null,
      blockedBy: 'disabled',
    })
    expect(verdictOf(measured(10), 200_000, { enabled: false }).blockedBy).toBeNull()
  })

  it('takes usage above the window, a told overflow and a cut answer on a full input for overflow', () => {
    expect(verdictOf(measured(130_011), 130_000).reason).toBe('overflow')
    expect(verdictOf(measured(100), 200_000, {}, true).reason).toBe('overflow')
    const cut = new SessionBuilder()
    cut.user('x')
    cut.assistant('y', [], { stopReason: 'length', usage: usage(190_000) })
    expect(verdictOf(cut).reason).toBe('overflow')
    const early = new SessionBuilder()
    early.user('x')
    early.assistant('y', [], { stopReason: 'length', usage: usage(1000) })
    expect(verdictOf(early).reason).toBeNull()
  })

  it('triggers nothing for an unknown window', () => {
    expect(verdictOf(measured(1000), 0)).toMatchObject({ shouldCompact: false, reason: null })
  })
})

describe('failedAnswerId', () => {
  it.each(['error', 'length'])(
    'names the answer at the end that stopped by %s, metadata behind it or not',
    (stopReason) => {
      const builder = measured(100)
      const failed = builder.assistant('', [], { stopReason, errorMessage: 'too long' })
      builder.add({ type: 'label', targetId: failed })
      expect(failedAnswerId(builder.live())).toBe(failed)
    },
  )

  it('names none when the answer was fine or something was said after it', () => {
    expect(failedAnswerId(measured(100).live())).toBeNull()
    const builder = measured(100)
    builder.assistant('', [], { stopReason: 'error' })
    builder.user('again')
    expect(failedAnswerId(builder.live())).toBeNull()
  })
})

describe('lastErrorText', () => {
  it('is the text of the newest answer when that one failed behind the last compaction', () => {
    const builder = measured(100)
    expect(lastErrorText(builder.live())).toBeNull()
    const failed = builder.assistant('', [], { stopReason: 'error', errorMessage: 'prompt is too long' })
    expect(lastErrorText(builder.live())).toBe('prompt is too long')
    builder.compaction('story', failed)
    builder.user('on')
    expect(lastErrorText(builder.live())).toBeNull()
  })
})
