import { asBuffer } from '../domain/as-buffer.ts'
import { holdsNoConversation } from '../domain/transcript/holds-no-conversation.ts'
import { parsePrompt } from '../domain/transcript/parse-prompt.ts'
import type { ReadBody, WorkCall } from './call.ts'
import { endpointOf } from './endpoints.ts'
import { readBody } from './read-body.ts'
import { readSpelled } from './read-spelled.ts'

/** Bytes of a conversation that are surely read, judged and written within 20 ms, whatever they hold (docs/spec/hostile.md §1). */
export const SHORT_WORK_BYTES = 65_536
/** The same of a prompt that holds no conversation: it is only handed on. */
export const SHORT_PROMPT_BYTES = 262_144

/** What most long prompts hold, which are then not read twice. */
const CONVERSATION = Buffer.from('<conversation>')

/**
 * The body of a call that is worked on at once; undefined for work that may take longer than 20 ms, and is left to a thread: by the
 * size of its body, and by its kind (docs/spec/hostile.md §1). Throws what reading it throws.
 */
export function readShortWork(call: WorkCall): ReadBody | undefined {
  const { bytes } = call
  const endpoint = endpointOf(call.endpoint)
  if (bytes.byteLength <= SHORT_WORK_BYTES) return readBody(call, endpoint)
  const { spelled } = endpoint
  if (spelled === undefined || bytes.byteLength > SHORT_PROMPT_BYTES) return undefined
  const body = asBuffer(bytes)
  return body.includes(CONVERSATION) ? undefined : readPlain(body, spelled)
}

/** A body whose prompt holds no conversation, and may go out as it was spelled. */
function readPlain(bytes: Buffer, name: string): ReadBody | undefined {
  const read = readSpelled(bytes, name)
  if (read === undefined) return undefined
  const { body, json, pieces } = read
  // NUL and lone surrogates, which no provider takes, can only be spelled so.
  if (json.includes('\\u') && pieces.some((piece) => !piece.isWellFormed() || piece.includes('\0'))) return undefined
  if (!holdsNoConversation(pieces) && parsePrompt(pieces.join('')) !== null) return undefined
  return { body, warnings: [], plainPrompt: json }
}
