/** W3C trace context, version 00: neither id may be all zeros. */
const TRACEPARENT = /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})$/

/** The header where it is a trace context; anything else is neither logged nor handed on. */
export const readTraceparent = (header: string | readonly string[] | undefined): string | undefined =>
  typeof header === 'string' && TRACEPARENT.test(header) ? header : undefined

/** The trace it belongs to, for log lines. */
export const traceIdOf = (header: string | readonly string[] | undefined): string | undefined =>
  readTraceparent(header)?.slice(3, 35)

/** The span that is its parent. */
export const spanIdOf = (header: string | readonly string[] | undefined): string | undefined =>
  readTraceparent(header)?.slice(36, 52)
