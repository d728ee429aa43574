import type { FastifyReply, FastifyRequest } from 'fastify'
import { isOver, type JobEnd, type JobRecord, jobViewOf } from '../../jobs/job.ts'
import type { Answer } from '../../requests/answer.ts'
import { uncrossError } from '../../requests/call.ts'
import { problemOf } from '../plugins/problems.ts'

/** When to ask for a job again. */
const ASK_AGAIN_SECONDS = 2

/** 202: where the job is, and when to ask for it. */
export function sendAccepted(reply: FastifyReply, job: JobRecord): FastifyReply {
  return reply
    .code(202)
    .header('location', `/jobs/${job.id}`)
    .header('preference-applied', 'respond-async')
    .header('retry-after', String(ASK_AGAIN_SECONDS))
    .header('content-type', 'application/json; charset=utf-8')
    .send(JSON.stringify({ job: jobViewOf(job) }))
}

/** The job, and its result as the synchronous answer would spell it, or its problem. */
export function sendJob(reply: FastifyReply, job: JobRecord, end: JobEnd | undefined): FastifyReply {
  const members = [`"job":${JSON.stringify(jobViewOf(job))}`]
  if (end !== undefined && 'answer' in end) members.push(`"result":${end.answer.json}`)
  if (end !== undefined && 'error' in end) {
    members.push(`"problem":${JSON.stringify(problemOf(uncrossError(end.error), job.requestId))}`)
  }
  if (!isOver(job.status)) reply.header('retry-after', String(ASK_AGAIN_SECONDS))
  return reply.header('content-type', 'application/json; charset=utf-8').send(`{${members.join(',')}}`)
}

/** What a caller who waited for the end gets: the answer, or the problem thrown. */
export function answerOf(end: JobEnd | undefined): Answer | undefined {
  if (end === undefined) return undefined
  if ('answer' in end) return end.answer
  throw uncrossError(end.error)
}

/** Who made it, as a key of its own kind: an anonymous caller shares with all others. */
export const ownerOf = (request: FastifyRequest): string => request.caller.name
