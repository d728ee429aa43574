import { deflateRawSync, inflateRawSync } from 'node:zlib'
import type { Sealer } from '../../models/stores/sealer.ts'

/** Our own compaction items of the Responses API, which any replica can open (docs/spec/faces.md §1). */
export interface CompactionItems {
  /** The `encrypted_content` of an item with this summary. */
  seal(summary: string): string
  /** The summary of an item of ours; null for anybody else's, a damaged one, or one sealed with a secret we do not have. */
  open(encrypted: string): string | null
}

/** No reader can mistake it for OpenAI's. */
export const ITEM_PREFIX = 'recapd1.'

/** The place that the sealer binds a value to: items travel with their conversation, so all share one. */
const PLACE = 'compaction-item'
const UNREADABLE = /[^A-Za-z0-9_-]/
/** A summary is at most some ten thousand tokens; more is a bomb. */
const MOST_BYTES = 4 * 1024 * 1024
/**
 * So much longer than it came a summary may be: prose deflates to a third. Bodies are admitted, and sent to threads, by their own
 * length, and a kilobyte may hold a hundred such items (docs/spec/hostile.md §2).
 */
const MOST_RATIO = 8

/** Readable for whoever has the item, unless there is a secret (`jobs.secret`). */
export function compactionItems(sealer: Sealer | undefined): CompactionItems {
  return {
    seal(summary) {
      const packed = packedOf(Buffer.from(summary))
      return ITEM_PREFIX + (sealer === undefined ? packed : sealer.seal(packed, PLACE)).toString('base64url')
    },
    open(encrypted) {
      if (!encrypted.startsWith(ITEM_PREFIX)) return null
      const text = encrypted.slice(ITEM_PREFIX.length)
      if (text === '' || UNREADABLE.test(text)) return null
      const bytes = Buffer.from(text, 'base64url')
      return inflated(sealer?.open(bytes, PLACE) ?? bytes)
    },
  }
}

/** What says the same over and over would deflate to something that is refused as a bomb: it goes as it is. */
function packedOf(summary: Buffer): Buffer {
  const packed = deflateRawSync(summary)
  return summary.length <= packed.length * MOST_RATIO ? packed : deflateRawSync(summary, { level: 0 })
}

function inflated(bytes: Buffer): string | null {
  try {
    const maxOutputLength = Math.min(MOST_BYTES, bytes.length * MOST_RATIO)
    const text = inflateRawSync(bytes, { maxOutputLength }).toString('utf8')
    return text.trim() === '' ? null : text
  } catch {
    return null
  }
}
