import { createHash } from 'node:crypto'
import { RecapdError } from '../domain/errors.ts'
import { bodyDigest } from '../requests/body-digest.ts'
import type { WorkCall } from '../requests/call.ts'
import type { JobTask } from './job.ts'

/** A request under an Idempotency-Key; keys are per caller (docs/spec/production.md §2). */
export interface KeyedRequest {
  readonly owner: string
  readonly idempotencyKey: string
  readonly call: WorkCall
}

/** What is claimed of the key, and with which request. */
export const claimOf = async (request: KeyedRequest): Promise<NonNullable<JobTask['claim']>> => ({
  name: hashOf([request.owner, request.idempotencyKey]),
  digest: await requestDigest(request.call),
})

/** What makes two requests one under a key: everything that decides the answer. */
async function requestDigest({ endpoint, mediaType, query, bytes }: WorkCall): Promise<string> {
  const parameters = Object.entries(query).sort(([one], [other]) => (one < other ? -1 : 1))
  return hashOf([endpoint, mediaType, parameters, await bodyDigest(bytes)])
}

const hashOf = (value: readonly unknown[]): string =>
  createHash('sha256').update(JSON.stringify(value)).digest('base64url')

export const mismatch = (): RecapdError =>
  new RecapdError(
    'idempotency-mismatch',
    'This Idempotency-Key came with another request before; take a new key for a new request.',
    { errors: [{ path: '/headers/idempotency-key', message: 'was used for another body or endpoint' }] },
  )
