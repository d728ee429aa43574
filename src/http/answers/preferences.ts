import type { FastifyRequest } from 'fastify'
import { RecapdError } from '../../domain/errors.ts'

/** `Prefer: respond-async[, wait=N]` (RFC 7240). */
export interface AsyncPreference {
  /** How long the ordinary answer is waited for first. */
  readonly waitMs: number
}

/** Undefined where the caller wants to wait; unknown preferences are ignored, as the RFC says. */
export function asyncPreference(request: FastifyRequest): AsyncPreference | undefined {
  const header = request.headers['prefer']
  if (header === undefined) return undefined
  const preferences = String(header)
    .toLowerCase()
    .split(/[,;]/)
    .map((part) => part.trim())
  if (!preferences.includes('respond-async')) return undefined
  const seconds = preferences
    .map((part) => /^wait\s*=\s*"?(\d{1,6})"?$/.exec(part)?.[1])
    .find((found) => found !== undefined)
  return { waitMs: Number(seconds ?? 0) * 1_000 }
}

const KEY = /^[\x20-\x7e]{1,255}$/

/** Throws `invalid-request` for what is not a key. */
export function idempotencyKeyOf(request: FastifyRequest): string | undefined {
  const header = request.headers['idempotency-key']
  if (header === undefined) return undefined
  if (typeof header === 'string' && KEY.test(header)) return header
  throw new RecapdError('invalid-request', 'The header idempotency-key must be 1 to 255 printable ASCII characters.', {
    errors: [{ path: '/headers/idempotency-key', message: 'expected 1 to 255 printable ASCII characters' }],
  })
}
