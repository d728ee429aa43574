import { expect, it } from 'vitest'
import { childTraceparent, readTraceparent, traceIdOf } from '../../../src/models/transport/traceparent.ts'

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
const GOOD = `00-${TRACE}-00f067aa0ba902b7-01`

it('a trace context is read, logged by its trace and handed on with a span of ours', () => {
  expect(readTraceparent(GOOD)).toBe(GOOD)
  expect(traceIdOf(GOOD)).toBe(TRACE)
  expect(childTraceparent(GOOD)).toMatch(new RegExp(`^00-${TRACE}-(?!00f067aa0ba902b7)[0-9a-f]{16}-01$`))
})

it.each([
  ['nothing', undefined],
  ['a list', [GOOD, GOOD]],
  ['junk', 'junk'],
  ['capitals', GOOD.toUpperCase()],
  ['another version', GOOD.replace(/^00/, '01')],
  ['the trace of zeros', `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`],
  ['the span of zeros', `00-${TRACE}-${'0'.repeat(16)}-01`],
  ['more than a trace context', `${GOOD}-x`],
  ['less', GOOD.slice(0, -1)],
])('%s is neither read nor logged nor handed on', (_, header) => {
  expect(readTraceparent(header)).toBeUndefined()
  expect(traceIdOf(header)).toBeUndefined()
  expect(childTraceparent(typeof header === 'string' ? header : undefined)).toBeUndefined()
})
