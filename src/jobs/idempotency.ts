import { createHash } from 'node:crypto'
import { RecapdError } from '../domain/errors.ts'
import type { WorkCall } from '../requests/call.ts'
import type { JobTask } from './job.ts'

/** A request under an Idempotency-Key; keys are per caller (docs/spec/production.md §2). */
export interface KeyedRequest {
  readonly owner: string
  readonly idempotencyKey: string
  readonly call: WorkCall
}

/** What is claimed of the key, and with which request. */
export const claimOf = ({ owner, idempotencyKey, call }: KeyedRequest): NonNullable<JobTask['claim']> => ({
  name: createHash('sha256')
    .update(JSON.stringify([owner, idempotencyKey]))
    .digest('base64url'),
  digest: requestDigest(call),
})

/** What makes two requests one under a key: everything that decides the answer. */
function requestDigest({ endpoint, mediaType, query, bytes }: WorkCall): string {
  const parameters = Object.entries(query).sort(([one], [other]) => (one < other ? -1 : 1))
  return createHash('sha256')
    .update(JSON.stringify([endpoint, mediaType, parameters]))
    .update(bytes)
    .digest('base64url')
}

export const mismatch = (): RecapdError =>
  new RecapdError(
    'idempotency-mismatch',
    'This Idempotency-Key came with another request before; take a new key for a new request.',
    { errors: [{ path: '/headers/idempotency-key', message: 'was used for another body or endpoint' }] },
  )
