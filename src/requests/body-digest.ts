import { createHash } from 'node:crypto'
import { setImmediate as turn } from 'node:timers/promises'

/** SHA-256 in hex, a piece at a time: the largest body would hold up the event loop for a tenth of a second. */
export async function bodyDigest(bytes: Uint8Array): Promise<string> {
  const digest = createHash('sha256')
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
    if (at > 0) await turn()
    digest.update(bytes.subarray(at, at + PIECE_BYTES))
  }
  return digest.digest('hex')
}

const PIECE_BYTES = 1_048_576
