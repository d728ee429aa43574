import { describe, expect, it } from 'vitest'
import { judgeList } from '../../../src/domain/list/judge-pass.ts'
import {
  type CompactionState,
  decodeState,
  encodeState,
  type FailureCause,
  FRESH_STATE,
  stateForModel,
} from '../../../src/domain/list/state.ts'
import { afterFailure, afterForce, afterNoProgress, afterPass, afterUsage } from '../../../src/domain/list/strikes.ts'
import { vectors } from '../../support/chat-vectors.ts'

const LIST = { tokens: 7000, thresholdTokens: 6800 }
const gate = (state: CompactionState, nowMs = 0, tokens = LIST.tokens): string | null =>
  judgeList({ ...LIST, tokens, state, nowMs })
const struck = (times: number): CompactionState => {
  let state = FRESH_STATE
  for (let n = 0; n < times; n += 1) state = afterNoProgress(state, LIST.tokens, LIST.thresholdTokens)
  return state
}

describe('encodeState and decodeState', () => {
  it('carry a state there and back', () => {
    const state = { ...struck(1), model: 'alpha/small', cooldownUntilMs: 12.5, awaitingUsage: true }
    expect(decodeState(encodeState(state))).toEqual({ state, warning: null })
    expect(encodeState(state)).toMatch(/^[\w.-]+$/)
    expect(decodeState(undefined)).toEqual({ state: FRESH_STATE, warning: null })
  })

  it.each([
    ['cut', encodeState(struck(1)).slice(0, -3)],
    ['changed', encodeState(struck(1)).replace(/\.e/, '.f')],
    ['of another version', encodeState(struck(1)).replace(/^rs1/, 'rs9')],
    ['no state at all', 'nonsense'],
    ['huge', 'x'.repeat(1_000_000)],
    ['with parts to spare', `${encodeState(FRESH_STATE)}.x`],
  ])('ignore one that is %s, with a warning', (_name, text) => {
    const { state, warning } = decodeState(text)
    expect(state).toEqual(FRESH_STATE)
    expect(warning).toMatch(/ignored/)
  })
})

describe('afterFailure', () => {
  const CAUSES: Record<string, FailureCause> = { 'http-500': 'other' }

  it.each(vectors<{ readonly outcomes: string[]; readonly seconds: number[] }>('cooldown'))(
    'pauses $seconds s after $outcomes',
    ({ outcomes, seconds }) => {
      let state = FRESH_STATE
      const pauses = outcomes.map((outcome) => {
        state =
          outcome === 'ok'
            ? afterPass(state, { rows: 1, tokens: 1, summary: 'model' })
            : afterFailure(state, CAUSES[outcome] ?? (outcome as FailureCause), 5000)
        return Math.max(0, state.cooldownUntilMs - 5000) / 1000
      })
      expect(pauses).toEqual(seconds)
    },
  )

  it('#62452 #15935 the ladder climbs by timeouts only and success brings it back', () => {
    let state = afterFailure(afterFailure(FRESH_STATE, 'timeout', 0), 'other', 0)
    expect(state.cooldownUntilMs).toBe(60_000)
    state = afterFailure(state, 'timeout', 0)
    expect(state.cooldownUntilMs).toBe(300_000)
  })
})

describe('afterPass', () => {
  it('a pass that only pruned is no compaction: the head keeps its protection, the streak its length', () => {
    const state = { ...FRESH_STATE, compressionCount: 2, fallbackStreak: 1 }
    expect(afterPass(state, { rows: 4, tokens: 9, summary: 'none' })).toMatchObject({
      compressionCount: 2,
      fallbackStreak: 1,
      lastRows: 4,
    })
  })
})

describe('judgeList', () => {
  it('fires at the threshold, not above it', () => {
    expect([gate(FRESH_STATE, 0, 6799), gate(FRESH_STATE, 0, 6800)]).toEqual(['below-threshold', null])
  })

  it('waits out a pause', () => {
    const state = afterFailure(FRESH_STATE, 'timeout', 1000)
    expect(gate(state, 60_999)).toBe('cooldown')
    expect(gate(state, 61_000)).toBeNull()
  })

  it('#40803 #36624 two passes that brought nothing block the third', () => {
    expect([gate(struck(1)), gate(struck(2))]).toEqual([null, 'ineffective'])
  })

  it('#14694 never blocks for good: real usage, force, another model and new content all open it', () => {
    const state = struck(2)
    expect(gate(afterUsage(state, 500, LIST))).toBeNull()
    expect(gate(afterForce(state))).toBeNull()
    expect(gate(stateForModel({ ...state, model: 'a' }, 'b'))).toBeNull()
    expect([gate(state, 0, 7300), gate(state, 0, 7341)]).toEqual(['ineffective', null])
  })

  it('two summaries in a row without a model block, a healthy one resets', () => {
    const pass = (state: CompactionState, isFallback: boolean): CompactionState =>
      afterPass(state, { rows: 5, tokens: 100, summary: isFallback ? 'fallback' : 'model' })
    const twice = pass(pass(FRESH_STATE, true), true)
    expect([gate(twice), gate(pass(twice, false))]).toEqual(['ineffective', null])
  })
})

describe('afterUsage', () => {
  const passed = afterPass(FRESH_STATE, { rows: 9, tokens: 100, summary: 'model' })

  it('judges the pass by the first real prompt count (#14695)', () => {
    expect(afterUsage(passed, 6800, LIST)).toMatchObject({ strikes: 1, awaitingUsage: false })
    expect(afterUsage(passed, 6799, LIST)).toMatchObject({ strikes: 0, awaitingUsage: false })
    expect(afterUsage(afterUsage(passed, 9000, LIST), 9000, LIST).strikes).toBe(1)
  })

  it('an answer without a count only disarms the verdict', () => {
    expect(afterUsage({ ...passed, strikes: 1 }, null, LIST)).toMatchObject({ strikes: 1, awaitingUsage: false })
  })
})

describe('afterNoProgress', () => {
  it('adds no strike where no compaction was due', () => {
    expect(afterNoProgress(FRESH_STATE, 100, 6800)).toBe(FRESH_STATE)
  })
})

describe('stateForModel', () => {
  it('keeps what is about the list and drops what was about the model', () => {
    const state = { ...afterFailure(struck(2), 'timeout', 0), compressionCount: 3, lastRows: 7, model: 'a' }
    expect(stateForModel(state, 'a')).toBe(state)
    expect(stateForModel(state, 'b')).toEqual({ ...FRESH_STATE, compressionCount: 3, lastRows: 7, model: 'b' })
    expect(stateForModel({ ...state, model: '' }, 'b')).toEqual({ ...state, model: 'b' })
  })
})
