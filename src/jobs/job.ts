import { z } from 'zod'
import type { Answer } from '../requests/answer.ts'
import type { CrossedError, WorkCall } from '../requests/call.ts'

const JOB_STATUSES = ['queued', 'running', 'done', 'failed', 'cancelled'] as const
export type JobStatus = (typeof JOB_STATUSES)[number]
export type FinalStatus = 'done' | 'failed' | 'cancelled'

const progress = z.object({
  stage: z.string().describe('the last event of the pipeline'),
  events: z.int().nonnegative(),
  attempts: z.int().nonnegative().describe('attempts of models that have ended'),
  summaries: z.int().nonnegative().describe('parts of the summary that are made'),
})
export type JobProgress = z.output<typeof progress>

/** A job as its caller sees it. */
export const jobView = z.object({
  id: z.string(),
  endpoint: z.string().describe('path of the endpoint that answers'),
  status: z.enum(JOB_STATUSES),
  createdAt: z.iso.datetime(),
  startedAt: z.iso.datetime().optional(),
  finishedAt: z.iso.datetime().optional(),
  progress: progress.optional(),
})
export type JobView = z.output<typeof jobView>

/** What is known of a job beside its body, its events and its end. Times are milliseconds since the epoch. */
export interface JobRecord {
  readonly id: string
  /** Name of the key that made it; nobody else sees it. */
  readonly owner: string
  readonly path: string
  /** Of the request that made it: `instance` of its problem. */
  readonly requestId: string
  readonly status: JobStatus
  readonly createdAt: number
  readonly startedAt?: number | undefined
  readonly finishedAt?: number | undefined
  readonly progress?: JobProgress | undefined
}

/** What is to be done: a call, and how long it may take from its start. */
export interface JobTask {
  readonly call: WorkCall
  readonly timeoutMs: number
  /** The key under which this is remembered; a failure that may pass is not remembered. */
  readonly claim?: { readonly name: string; readonly digest: string } | undefined
  /** Counts the body as in flight for as long as it is kept in this process; never leaves it. */
  readonly retainBody?: (() => () => void) | undefined
}

/** How a job ended; a cancelled one has neither. */
export type JobEnd = { readonly answer: Answer } | { readonly error: CrossedError }

/** One event of the pipeline, its data as JSON. */
export type JobEvent = readonly [name: string, json: string]

export const isOver = (status: JobStatus): status is FinalStatus => status !== 'queued' && status !== 'running'

export function jobViewOf({ id, path, status, createdAt, startedAt, finishedAt, progress: now }: JobRecord): JobView {
  return {
    id,
    endpoint: path,
    status,
    createdAt: new Date(createdAt).toISOString(),
    startedAt: startedAt === undefined ? undefined : new Date(startedAt).toISOString(),
    finishedAt: finishedAt === undefined ? undefined : new Date(finishedAt).toISOString(),
    progress: now,
  }
}
