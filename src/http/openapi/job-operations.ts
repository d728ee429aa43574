import { z } from 'zod'
import { jobView } from '../../jobs/job.ts'
import { usageResult } from '../usage-schema.ts'
import type { Operation } from './operation.ts'
import { problemSchema } from './problem-schema.ts'

export const acceptedResult = z.object({ job: jobView })
const jobResult = acceptedResult.extend({
  result: z.unknown().optional().describe('Of a job that is done: the answer its endpoint gives.'),
  problem: problemSchema.optional().describe('Of a job that failed.'),
})

const common = { tag: 'operations', problems: ['unauthorized', 'not-found', 'rate-limited', 'overloaded'] } as const

/** Jobs and what keys have used (docs/spec/production.md §2, §4). */
export const JOB_OPERATIONS: readonly Operation[] = [
  {
    ...common,
    method: 'get',
    path: '/jobs/{id}',
    operationId: 'getJob',
    summary: 'A job, its result or its problem',
    response: jobResult,
  },
  {
    ...common,
    method: 'delete',
    path: '/jobs/{id}',
    operationId: 'cancelJob',
    summary: 'Cancels a job that is not over',
    response: jobResult,
  },
  {
    ...common,
    method: 'get',
    path: '/jobs/{id}/events',
    operationId: 'getJobEvents',
    summary: 'The events of a job from its beginning, ending in done or error',
    responseType: 'text/event-stream',
  },
  {
    ...common,
    method: 'get',
    path: '/usage',
    operationId: 'getUsage',
    summary: 'What this key has used; for a key with admin: true, all keys',
    parameters: [{ name: 'per', in: 'query', required: false, schema: { type: 'string', enum: ['day', 'month'] } }],
    response: usageResult,
    problems: ['unauthorized', 'rate-limited'],
  },
]
