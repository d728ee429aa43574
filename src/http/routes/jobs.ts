import type { FastifyInstance, FastifyRequest } from 'fastify'
import { RecapdError } from '../../domain/errors.ts'
import type { JobRecord } from '../../jobs/job.ts'
import type { Jobs } from '../../jobs/jobs.ts'
import { answerWithEvents } from '../answers/events.ts'
import { answerOf, ownerOf, sendJob } from '../answers/job-answer.ts'

interface OfJob {
  Params: { id: string }
}

/** Jobs as their makers see them; to anybody else none exists (docs/spec/production.md §2). */
export function jobRoutes(app: FastifyInstance, { jobs }: { readonly jobs: Jobs }): void {
  const own = { config: { access: 'own' as const } }

  async function jobOf(request: FastifyRequest<OfJob>): Promise<JobRecord> {
    const { id } = request.params
    const job = ID.test(id) ? await jobs.find(id, ownerOf(request)) : undefined
    if (job === undefined) throw noSuchJob()
    return job
  }
  app.get<OfJob>('/jobs/:id', own, async (request, reply) => {
    const job = await jobOf(request)
    return sendJob(reply, job, await jobs.end(job.id))
  })
  app.get<OfJob>('/jobs/:id/events', own, async (request, reply) => {
    const job = await jobOf(request)
    const gone = new AbortController()
    reply.raw.on('close', () => gone.abort())
    return answerWithEvents(request, reply, async (stream) => {
      stream.begin()
      for await (const [name, json] of jobs.events(job.id, gone.signal)) stream.event(name, json)
      const answer = answerOf(await jobs.end(job.id))
      if (answer === undefined) throw new RecapdError('client-closed', 'The job was cancelled, or is forgotten by now.')
      return answer.json
    })
  })
  app.delete<OfJob>('/jobs/:id', own, async (request, reply) => {
    const job = await jobOf(request)
    const after = (await jobs.cancel(job.id)) ?? job
    return sendJob(reply, after, await jobs.end(job.id))
  })
}

const ID = /^[0-9a-f-]{36}$/

const noSuchJob = (): RecapdError =>
  new RecapdError('not-found', 'There is no such job; it may be forgotten by now, or another key made it.')
