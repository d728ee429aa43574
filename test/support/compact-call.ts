import type { WorkCall } from '../../src/requests/call.ts'

/** A `/compact` request with this body, as jobs and their stores are given it. */
export const compactCall = (body = '{}'): WorkCall => ({
  endpoint: 'compact',
  mediaType: 'json',
  bytes: Buffer.from(body),
  query: {},
  context: { requestId: 'r-1', callerName: 'one', deadlineAt: 0, noCache: false, wantsEvents: false, readWarnings: [] },
})
