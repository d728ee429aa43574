import { asBuffer } from '../domain/as-buffer.ts'
import type { ReadBody, WorkCall } from './call.ts'
import { endpointOf } from './endpoints.ts'
import { readBody } from './read-body.ts'
import { readSpelled } from './read-spelled.ts'

/** Bytes of a conversation that are surely read, judged and written within 20 ms, whatever they hold (docs/spec/hostile.md §1). */
export const SHORT_WORK_BYTES = 65_536
/** The same of a prompt that holds no conversation: it is only handed on. */
export const SHORT_PROMPT_BYTES = 262_144

/** Below this a look at the bytes of a prompt costs as much as its text. */
const SHORT_TEXT_BYTES = 4_096

/**
 * The body of a call that is worked on at once; undefined for work that may take longer than 20 ms, and is left to a thread: by the
 * size of its body, and by its kind (docs/spec/hostile.md §1). Throws what reading it throws.
 */
export function readShortWork(call: WorkCall): ReadBody | undefined {
  const { bytes } = call
  const endpoint = endpointOf(call.endpoint)
  const { spelled } = endpoint
  const isLookedAt = bytes.byteLength > SHORT_TEXT_BYTES && bytes.byteLength <= SHORT_PROMPT_BYTES
  // A prompt that surely holds no conversation goes out as it was spelled.
  const read = spelled !== undefined && isLookedAt ? readSpelled(asBuffer(bytes), spelled) : undefined
  if (read !== undefined) return { body: read.body, warnings: [], plainPrompt: read.json }
  return bytes.byteLength <= SHORT_WORK_BYTES ? readBody(call, endpoint) : undefined
}
