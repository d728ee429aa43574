import { isImagePart } from '../tokens/chat-tokens.ts'
import { type Row, rewrite, roleOf } from './row.ts'

/** Stands for an image of a tool result that was pruned. */
export const PRUNED_IMAGE = '[screenshot removed to save context]'
/** Stands for an image that a newer image turn made history. */
export const HISTORICAL_IMAGE = '[Attached image — stripped after compression]'

/** The parts with a text in place of every image; null when there is none, so that the caller keeps its own object. */
export function stripImages(parts: unknown, placeholder: string = PRUNED_IMAGE): readonly unknown[] | null {
  if (!Array.isArray(parts) || !parts.some(isImagePart)) return null
  return parts.map((part: unknown) => (isImagePart(part) ? { type: 'text', text: placeholder } : part))
}

/**
 * Takes the images out of every row before the newest user row that has one (hermes-spec §7). The same list comes back
 * when nothing has to go.
 */
export function stripHistoricalMedia(rows: readonly Row[]): readonly Row[] {
  const anchor = rows.findLastIndex((row) => roleOf(row.message) === 'user' && hasImage(row))
  if (anchor <= 0 || !rows.slice(0, anchor).some(hasImage)) return rows
  return rows.map((row, at) => {
    const parts = at < anchor ? stripImages(row.message.content, HISTORICAL_IMAGE) : null
    return parts === null ? row : rewrite(row, { content: parts })
  })
}

function hasImage(row: Row): boolean {
  return Array.isArray(row.message.content) && row.message.content.some(isImagePart)
}
