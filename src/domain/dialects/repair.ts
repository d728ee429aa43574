import type { Row } from './row.ts'

/** One thing that was mended, and the caller's message it was in. */
export interface Repair {
  readonly index: number
  readonly what:
    | 'orphan-result-removed'
    | 'duplicate-result-removed'
    | 'result-moved-behind-its-call'
    | 'call-without-result-removed'
    | 'empty-answer-removed'
    | 'blank-echo-removed'
    | 'orphan-reasoning-removed'
}

export interface RepairedRows<Source = unknown> {
  readonly rows: readonly Row<Source>[]
  readonly repaired: readonly Repair[]
}
