import { isRecord } from '../../is-record.ts'
import type { Loose } from '../codec.ts'
import { opaquePart } from '../opaque.ts'
import type { RowPart } from '../row-part.ts'

/** A call that the client answers. */
export interface CallBlock {
  readonly type: 'call'
  readonly id: string
  readonly name: string
  readonly args: string
}

/** The answer to a call of the client's. */
export interface ResultBlock {
  readonly type: 'result'
  readonly id: string
  readonly content: string | readonly RowPart[]
  readonly isError: boolean
}

/** What one block of a message is. */
export type BlockView = RowPart | CallBlock | ResultBlock

/** One row of a dialect's table of block types. */
export interface BlockRule {
  /** Tells the type from another dialect's of the same name; absent: the type alone decides. */
  readonly is?: (block: Loose) => boolean
  read(block: Loose): BlockView
}

/** All block types of a dialect, by name. The only place that knows them. */
export type BlockTable = ReadonlyMap<string, BlockRule>

/** The rule for a block, or undefined where the dialect has none. */
export function ruleFor(table: BlockTable, type: unknown, block: Loose): BlockRule | undefined {
  const rule = typeof type === 'string' ? table.get(type) : undefined
  return rule?.is === undefined || rule.is(block) ? rule : undefined
}

/** A block of a dialect that names types in a field `type`; what stands in no row of the table is opaque. */
export function viewOfTyped(table: BlockTable, block: unknown): BlockView {
  if (typeof block === 'string') return { type: 'text', text: block, from: block }
  if (!isRecord(block)) return opaquePart(block, 'part')
  const rule = ruleFor(table, block['type'], block)
  return rule === undefined ? opaquePart(block, block['type']) : rule.read(block)
}

/** A text block. */
export const textRule: BlockRule = {
  is: (block) => typeof block['text'] === 'string',
  read: (block) => ({ type: 'text', text: String(block['text']), from: block }),
}

/** Parts of a result's content: calls and results have no place there. */
export function partsOnly(views: readonly BlockView[]): RowPart[] {
  return views.filter((view): view is RowPart => view.type !== 'call' && view.type !== 'result')
}
