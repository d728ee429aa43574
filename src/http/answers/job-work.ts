import type { FastifyReply, FastifyRequest } from 'fastify'
import { RecapdError } from '../../domain/errors.ts'
import { isOver, type JobRecord } from '../../jobs/job.ts'
import type { Jobs, Submission } from '../../jobs/jobs.ts'
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
 * Idempotency-Key. Who does not want to wait gets 202; who waits, the ordinary answer.
 */
export async function answerAsJob(request: FastifyRequest, reply: FastifyReply, work: JobWork): Promise<FastifyReply> {
  const { jobs, submission, preference, clock, send } = work
  const { job, isReplay } = await jobs.submit(submission)
  if (isReplay) reply.header('idempotency-replayed', 'true')
  if (preference !== undefined) {
    const after = preference.waitMs > 0 ? await jobs.settled(job.id, preference.waitMs, clock.signal) : job
    const answer = answerOf(after !== undefined && isOver(after.status) ? await jobs.end(job.id) : undefined)
    return answer === undefined ? sendAccepted(reply, after ?? job) : send(answer)
  }
  if (!submission.call.context.wantsEvents) return send(await waitFor(job, work, isReplay))
  return answerWithEvents(request, reply, async (stream) => {
    for await (const [name, json] of jobs.events(job.id, clock.signal)) stream.event(name, json)
    return (await waitFor(job, work, isReplay)).json
  })
}

/** Longer than any job: the request's own clock ends the waiting. */
const NO_LIMIT_MS = 2 ** 31 - 1

async function waitFor({ id }: JobRecord, { jobs, clock }: JobWork, isReplay: boolean): Promise<Answer> {
  await jobs.settled(id, NO_LIMIT_MS, clock.signal)
  if (clock.signal.aborted) {
    // A caller that leaves early has cancelled; whoever joined by the same key has not.
    if (isClientGone(clock.signal.reason) && !isReplay) await jobs.cancel(id)
    throw clock.signal.reason
  }
  const answer = answerOf(await jobs.end(id))
  if (answer === undefined) throw new RecapdError('client-closed', 'The job of this request was cancelled.')
  return answer
}

const isClientGone = (reason: unknown): boolean => reason instanceof RecapdError && reason.code === 'client-closed'
