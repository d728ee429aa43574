import type { RepairedRows } from './repair.ts'
import type { Row } from './row.ts'

/** The dialects of message lists that are read and given back (docs/spec/reading.md §3); where several fit, the first. */
export const DIALECTS = ['openai', 'anthropic', 'vercel', 'responses', 'bedrock', 'gemini', 'langchain'] as const

export type Dialect = (typeof DIALECTS)[number]

export type Loose = Readonly<Record<string, unknown>>

/**
 * What one message says for a dialect. `own`: it can be of no other. `may`: it looks alike in several. `weak`: an item of
 * unknown type, taken only where another row is `own`.
 */
export type Fit = 'no' | 'weak' | 'may' | 'own'

/** How one dialect becomes rows and comes back. Rows nobody rewrote come back as the caller's own objects. */
export interface Codec<Source = unknown> {
  /** Adjacent rows of one role become one message on output. */
  readonly mergesAdjacent: boolean
  /** Judged by the message without the parts of its content. */
  fit(message: Loose): Fit
  /** The parts of its content; null where that is of no known shape. */
  blocksOf(message: Loose): readonly unknown[] | null
  /** True for a part whose type the dialect has. */
  knows(block: Loose): boolean
  read(messages: readonly Loose[]): Row<Source>[]
  /** What this dialect demands beyond whole pairs. */
  repair(rows: readonly Row<Source>[]): RepairedRows<Source>
  /** `given`: the list the rows were read from, for rows of ours that must look like its own. */
  write(rows: readonly Row<Source>[], given: readonly Loose[]): Loose[]
}

/** The parts of a content: a text has none, nor has no content at all; null for a content of no known shape. */
export function partsOfContent(content: unknown): readonly unknown[] | null {
  if (Array.isArray(content)) return content
  return content === undefined || content === null || typeof content === 'string' ? [] : null
}

/** A dialect that demands nothing beyond whole pairs. */
export const noRepair = <Source>(rows: readonly Row<Source>[]): RepairedRows<Source> => ({ rows, repaired: [] })
