import { type Row, rewrite, roleOf } from './row.ts'
import { isRowPart, type MediaPart, type RowPart } from './row-part.ts'

/** Stands for a medium of a tool result that was pruned. */
const PRUNED_IMAGE = '[screenshot removed to save context]'
/** Stands for an image that a newer one made history. */
export const HISTORICAL_IMAGE = '[Attached image — stripped after compression]'

/** Results that hold media and keep them. */
const RESULTS_KEPT = 3

/** The parts with a text in place of every medium; null when there is none, so that the caller keeps its own object. */
export function withoutMedia(
  content: unknown,
  placeholder: (part: MediaPart) => string = () => PRUNED_IMAGE,
): readonly RowPart[] | null {
  if (!Array.isArray(content) || !content.some(isMedia)) return null
  return content.map((part: RowPart) => (isMedia(part) ? { type: 'text', text: placeholder(part) } : part))
}

/**
 * Only the newest user row that holds media and the newest three results that hold any keep theirs (docs/spec/reading.md §6).
 * The same list comes back when nothing has to go.
 */
export function stripOldMedia<Source>(rows: readonly Row<Source>[]): readonly Row<Source>[] {
  const holding = rows.flatMap((row, at) => (holdsMedia(row) ? [at] : []))
  if (holding.length === 0) return rows
  const ofRole = (role: string): number[] => holding.filter((at) => roleOf(rows[at]?.message ?? {}) === role)
  const kept = new Set([...ofRole('user').slice(-1), ...ofRole('tool').slice(-RESULTS_KEPT)])
  const old = new Set(holding.filter((at) => !kept.has(at) && rows[at]?.isFixed !== true))
  if (old.size === 0) return rows
  return rows.map((row, at) => {
    const parts = old.has(at) ? withoutMedia(row.message.content, historicalText) : null
    return parts === null ? row : rewrite(row, { content: parts })
  })
}

function historicalText({ media, name }: MediaPart): string {
  if (media === 'image') return HISTORICAL_IMAGE
  return `[Attached ${media}${name === '' ? '' : ` ${name}`} — stripped after compression]`
}

function isMedia(part: unknown): part is MediaPart {
  return isRowPart(part) && part.type === 'media'
}

function holdsMedia(row: Row): boolean {
  return Array.isArray(row.message.content) && row.message.content.some(isMedia)
}
