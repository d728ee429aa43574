import type { WorkCall } from './call.ts'
import { endpointOf } from './endpoints.ts'

/** Bytes of a conversation that are surely read, judged and written within 20 ms, whatever they hold (docs/spec/hostile.md §1). */
export const SHORT_WORK_BYTES = 65_536
/** The same of a prompt that holds no conversation: it is only handed on. */
export const SHORT_PROMPT_BYTES = 1_048_576

/** What a conversation in a prompt cannot do without: a tag, or a label in brackets. */
const MARKS = ['<', '[', '\\u003c', '\\u003C', '\\u005b', '\\u005B'].map((mark) => Buffer.from(mark))

/** True for work that may take longer than 20 ms: by the size of its body, and by its kind (docs/spec/hostile.md §1). */
export function isLongWork({ endpoint, bytes }: Pick<WorkCall, 'endpoint' | 'bytes'>): boolean {
  if (bytes.byteLength <= SHORT_WORK_BYTES) return false
  if (bytes.byteLength > SHORT_PROMPT_BYTES) return true
  const { spelled } = endpointOf(endpoint)
  if (spelled === undefined) return true
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return MARKS.some((mark) => text.includes(mark))
}
