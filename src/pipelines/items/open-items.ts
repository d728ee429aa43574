import { isRecord } from '../../domain/is-record.ts'
import { handoffText } from '../../domain/list/assemble/handoff.ts'
import { type CompactionItems, ITEM_PREFIX } from './compaction-items.ts'

type Json = Readonly<Record<string, unknown>>

/** An item whose summary only its maker can read; where that was us, we can, with the right secret. */
export function isSealedItem(row: unknown): row is Json & { readonly encrypted_content: string } {
  if (!isRecord(row)) return false
  const { type, encrypted_content: sealed } = row
  return (type === 'compaction' || type === 'compaction_summary') && typeof sealed === 'string'
}

/**
 * Turns our own compaction items into the messages that our summaries are in any list (docs/spec/faces.md §1); everything else,
 * including items of others, stays as it came. Returns the same array where there is none of ours.
 */
export function openItems(rows: readonly unknown[], items: CompactionItems): readonly unknown[] {
  if (!rows.some((row) => isSealedItem(row) && row.encrypted_content.startsWith(ITEM_PREFIX))) return rows
  return rows.map((row) => {
    const summary = isSealedItem(row) ? items.open(row.encrypted_content) : null
    return summary === null ? row : openedItem(summary)
  })
}

/** A readable user message in the place of an item. */
const openedItem = (summary: string) => ({
  type: 'message',
  role: 'user',
  content: [{ type: 'input_text', text: handoffText(summary) }],
})
