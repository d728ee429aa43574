import type { FastifyRequest } from 'fastify'
import { RecapdError } from '../../domain/errors.ts'

export const asksForWebSocket = ({ headers }: FastifyRequest): boolean => /\bwebsocket\b/i.test(headers.upgrade ?? '')

/** Codex falls back to HTTP at once on this status; after any other refusal it tries seven times (docs/spec/faces.md §3). */
export const noWebSockets = (): RecapdError =>
  new RecapdError('upgrade-required', 'WebSockets are not supported here; use HTTP on the same path.')
