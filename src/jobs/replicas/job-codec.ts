import { z } from 'zod'
import { ERROR_CODES } from '../../domain/errors.ts'
import { parseJson } from '../../domain/parse-json.ts'
import type { JobEnd, JobEvent, JobRecord, JobTask } from '../job.ts'
import { jobView } from '../job.ts'

/** What of a record never changes; read back from a Redis that other versions of this service may have written to. */
const head = z.object({
  id: z.string(),
  owner: z.string(),
  path: z.string(),
  requestId: z.string(),
  createdAt: z.number(),
})
/** Fields of the hash. */
const state = z.object({
  status: jobView.shape.status,
  startedAt: z.coerce.number().optional(),
  finishedAt: z.coerce.number().optional(),
})
const events = z.array(z.tuple([z.string(), z.string()]))
const end = z.union([
  z.object({ answer: z.object({ json: z.string(), model: z.string().optional() }) }),
  z.object({
    error: z.object({ code: z.enum(ERROR_CODES).catch('internal'), message: z.string(), extras: z.looseObject({}) }),
  }),
])

export const encodeHead = ({ id, owner, path, requestId, createdAt }: JobRecord): string =>
  JSON.stringify({ id, owner, path, requestId, createdAt })

export interface JobHash {
  readonly head: string
  readonly status: string | undefined
  readonly startedAt: string | undefined
  readonly finishedAt: string | undefined
  readonly progress: string | undefined
}

export function decodeRecord(hash: JobHash): JobRecord | undefined {
  const parsed = head.safeParse(parseJson(hash.head))
  const now = state.safeParse(hash)
  if (!parsed.success || !now.success) return undefined
  const progress = jobView.shape.progress.safeParse(hash.progress === undefined ? undefined : parseJson(hash.progress))
  return { ...parsed.data, ...now.data, progress: progress.data }
}

/** Four bytes with the length of a head in JSON, the head, and the body as it came. */
export function encodeTask({ call: { bytes, ...call }, ...rest }: JobTask): Buffer {
  const text = Buffer.from(
    JSON.stringify({ ...rest, call: { ...call, context: { ...call.context, promptJson: undefined } } }),
  )
  const length = Buffer.alloc(4)
  length.writeUInt32BE(text.length)
  return Buffer.concat([length, text, bytes])
}

export function decodeTask(value: Buffer): JobTask | undefined {
  if (value.length < 4) return undefined
  const end = 4 + value.readUInt32BE(0)
  const task = parseJson(value.subarray(4, end).toString('utf8')) as JobTask | undefined
  return task === undefined ? undefined : { ...task, call: { ...task.call, bytes: value.subarray(end) } }
}

export const encodeEvents = (batch: readonly JobEvent[]): string => JSON.stringify(batch)
export const decodeEvents = (text: string): readonly JobEvent[] => events.safeParse(parseJson(text)).data ?? []
export const encodeEnd = (value: JobEnd): string => JSON.stringify(value)
export function decodeEnd(text: string): JobEnd | undefined {
  const { data } = end.safeParse(parseJson(text))
  return data as JobEnd | undefined
}
