import { RecapdError } from '../domain/errors.ts'
import type { Clock } from '../models/clock.ts'
import type { Emit } from '../pipelines/pipeline-event.ts'
import type { Answer } from '../requests/answer.ts'
import { crossError, type WorkCall } from '../requests/call.ts'
import { type FinalStatus, isOver, type JobEnd, type JobEvent, type JobProgress, type JobTask } from './job.ts'
import type { RunJob } from './job-queue.ts'
import type { JobStore } from './job-store.ts'

export interface JobRunnerOptions {
  readonly store: JobStore
  readonly clock: Clock
  readonly run: (work: JobRun, signal: AbortSignal) => Promise<Answer>
  /** What an unforeseen throw is to the caller; it is logged there. */
  readonly foreseen: (thrown: unknown, requestId: string) => RecapdError
  readonly onFinished: (id: string, status: FinalStatus) => Promise<void>
}

/** One start of a job. */
export interface JobRun {
  readonly id: string
  readonly call: WorkCall
  readonly emit: Emit
}

/** Deltas come by the token: they are written together. */
const WRITE_EVERY_MS = 50

/** Runs one job of the store to its end, whatever that is: done, failed, or cancelled by somebody on any replica. */
export async function runJob(id: string, isAgain: boolean, options: JobRunnerOptions): ReturnType<RunJob> {
  const { store, clock, onFinished } = options
  const task = await store.task(id)
  if (task === undefined) return afterEnd(id, isAgain, options)
  const begin = await store.begin(id, clock.now(), isAgain)
  if (begin !== 'begun') return begin === 'running' ? 'busy' : 'over'
  const cancelled = new AbortController()
  const stopWatching = watchForCancel(id, store, cancelled)
  const story = startStory(id, options)
  const end = await endOf(task, { id, emit: story.emit, cancelled: cancelled.signal }, options)
  stopWatching()
  await story.stop()
  const status = 'answer' in end ? 'done' : 'failed'
  if (await store.finish(id, { status, end, finishedAt: clock.now() })) await onFinished(id, status)
  return 'over'
}

/** Its body cannot be read: it is over, or Redis is away. A replica that died at its end may not have announced it. */
async function afterEnd(id: string, isAgain: boolean, { store, onFinished }: JobRunnerOptions): ReturnType<RunJob> {
  const record = await store.read(id).catch(() => 'away' as const)
  if (record === undefined) return 'over'
  if (record === 'away' || !isOver(record.status)) return 'busy'
  if (isAgain && record.status !== 'cancelled') await onFinished(id, record.status)
  return 'over'
}

function watchForCancel(id: string, store: JobStore, cancelled: AbortController): () => void {
  const look = async () => {
    // Where it cannot be known now, the next change tells.
    const record = await store.read(id).catch(() => undefined)
    if (record === undefined || !isOver(record.status)) return
    cancelled.abort(new RecapdError('client-closed', 'The job was cancelled.'))
  }
  return store.onChange(id, () => void look())
}

async function endOf(
  { call, timeoutMs }: JobTask,
  { id, emit, cancelled }: Pick<JobRun, 'id' | 'emit'> & { readonly cancelled: AbortSignal },
  { clock, run, foreseen }: JobRunnerOptions,
): Promise<JobEnd> {
  const deadline = new AbortController()
  const stopClock = clock.after(timeoutMs, () =>
    deadline.abort(
      new RecapdError(
        'deadline-exceeded',
        `The job had no answer within ${timeoutMs} ms; send less, or raise timeouts.requestMs.`,
      ),
    ),
  )
  const context = { ...call.context, deadlineAt: clock.now() + timeoutMs, wantsEvents: true }
  try {
    const signal = AbortSignal.any([cancelled, deadline.signal])
    return { answer: await run({ id, call: { ...call, context }, emit }, signal) }
  } catch (thrown) {
    return { error: crossError(foreseen(thrown, call.context.requestId)) }
  } finally {
    stopClock()
  }
}

/** Collects what the pipeline says and writes it to the store, in order. */
function startStory(id: string, { store, clock }: JobRunnerOptions): { readonly emit: Emit; stop(): Promise<void> } {
  let progress: JobProgress = { stage: 'running', events: 0, attempts: 0, summaries: 0 }
  let pending: JobEvent[] = []
  let written: Promise<void> = Promise.resolve()
  let callOff: (() => void) | undefined
  const write = () => {
    callOff = undefined
    const events = pending
    pending = []
    const now = progress
    written = written.then(() => store.note(id, now, events))
  }
  return {
    emit({ name, data }) {
      pending.push([name, JSON.stringify(data)])
      progress = {
        stage: name,
        events: progress.events + 1,
        attempts: progress.attempts + (name === 'attempt' ? 1 : 0),
        summaries: progress.summaries + (name === 'summary' ? 1 : 0),
      }
      callOff ??= clock.after(WRITE_EVERY_MS, write)
    },
    async stop() {
      callOff?.()
      if (pending.length > 0) write()
      await written
    },
  }
}
