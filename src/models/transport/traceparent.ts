import { randomBytes } from 'node:crypto'

const TRACEPARENT = /^00-([0-9a-f]{32})-[0-9a-f]{16}-([0-9a-f]{2})$/

/** The caller's trace context with a span of our own, or undefined where it is not one (W3C trace context, version 00). */
export function childTraceparent(traceparent: string | undefined): string | undefined {
  const match = traceparent === undefined ? null : TRACEPARENT.exec(traceparent)
  return match ? `00-${match[1]}-${randomBytes(8).toString('hex')}-${match[2]}` : undefined
}
