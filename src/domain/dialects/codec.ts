import type { RepairedRows } from './pairs.ts'
import type { Row } from './row.ts'

export type ListFormat = 'openai' | 'anthropic' | 'responses'

/** How one format becomes rows and comes back. Rows nobody rewrote come back as the caller's own objects. */
export interface ListCodec {
  /** Adjacent rows of one role become one message on output. */
  readonly mergesAdjacent: boolean
  toRows(messages: readonly unknown[]): Row[]
  /** What this format demands beyond whole pairs. */
  repair(rows: readonly Row[]): RepairedRows
  fromRows(rows: readonly Row[]): unknown[]
}
