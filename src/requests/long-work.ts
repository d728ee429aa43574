import { asBuffer } from '../domain/as-buffer.ts'
import { isRecord } from '../domain/is-record.ts'
import { parsePrompt } from '../domain/transcript/parse-prompt.ts'
import type { ReadBody, WorkCall } from './call.ts'
import { endpointOf } from './endpoints.ts'
import { readBody } from './read-body.ts'

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
  if (asBuffer(bytes).includes(CONVERSATION)) return undefined
  const read = readBody(call, endpoint)
  const prompt = isRecord(read.body) ? read.body[spelled] : undefined
  return typeof prompt === 'string' && parsePrompt(prompt) === null ? { ...read, isPlainPrompt: true } : undefined
}
