import type { FastifyReply, FastifyRequest } from 'fastify'
import { RecapdError } from '../../domain/errors.ts'
import { isOver, type JobRecord } from '../../jobs/job.ts'
import type { Jobs, Submission, Submitted } from '../../jobs/jobs.ts'
import type { Answer } from '../../requests/answer.ts'
import { answerWithEvents } from './events.ts'
import { answerOf, sendAccepted } from './job-answer.ts'
import type { AsyncPreference } from './preferences.ts'
import type { RequestClock } from './request-clock.ts'

export interface JobWork {
  readonly jobs: Jobs
  readonly submission: Submission
  readonly preference: AsyncPreference | undefined
  readonly clock: RequestClock
  readonly send: (answer: Answer) => FastifyReply
}

/**
 * Work that is kept under an id: because its caller does not want to wait for it, or may ask again with the same
 * Idempotency-Key. A caller who does not want to wait gets 202; one who waits gets the ordinary answer.
 */
export async function answerAsJob(request: FastifyRequest, reply: FastifyReply, work: JobWork): Promise<FastifyReply> {
  const { jobs, submission, preference, clock, send } = work
  const submitted = await jobs.submit(submission)
  const { job, isReplay } = submitted
  if (isReplay) reply.header('idempotency-replayed', 'true')
  if (preference !== undefined) {
    // A caller who did not want to wait gets 202, however quickly it went, and whoever made the job.
    const after = preference.waitMs > 0 ? await jobs.settled(job.id, preference.waitMs, clock.signal) : undefined
    const answer = answerOf(after !== undefined && isOver(after.status) ? await jobs.end(job.id) : undefined)
    return answer === undefined ? sendAccepted(reply, after ?? job) : send(answer)
  }
  if (!submission.call.context.wantsEvents) return send(await untilAnswered(submitted, work))
  return answerWithEvents(request, reply, async (stream) => {
    const tell = async (id: string) => {
      for await (const [name, json] of jobs.events(id, clock.signal)) stream.event(name, json)
    }
    return (await untilAnswered(submitted, work, tell)).json
  })
}

/** A caller who made the job and leaves cancels it; one who joined it by the same key has it made again. */
async function untilAnswered(first: Submitted, work: JobWork, tell?: (id: string) => Promise<void>): Promise<Answer> {
  for (let submitted = first; ; submitted = await work.jobs.submit(work.submission)) {
    await tell?.(submitted.job.id)
    const last = await waitFor(submitted, work)
    const answer = answerOf(await work.jobs.end(submitted.job.id))
    if (answer !== undefined) return answer
    const isLeft = last === undefined || last.status === 'cancelled'
    if (!isLeft || !submitted.isReplay) {
      throw new RecapdError('client-closed', 'The job of this request was cancelled.')
    }
  }
}

/** Longer than any job: the request's own clock ends the waiting. */
const NO_LIMIT_MS = 2 ** 31 - 1

/** The record of the job once it is over; undefined where nobody knows it any more. */
async function waitFor({ job: { id }, isReplay }: Submitted, { jobs, clock }: JobWork): Promise<JobRecord | undefined> {
  const last = await jobs.settled(id, NO_LIMIT_MS, clock.signal)
  if (!clock.signal.aborted) return last
  // A caller that leaves early has cancelled; whoever joined by the same key has not.
  if (isClientGone(clock.signal.reason) && !isReplay) await jobs.cancel(id)
  throw clock.signal.reason
}

const isClientGone = (reason: unknown): boolean => reason instanceof RecapdError && reason.code === 'client-closed'
