import { expect, it } from 'vitest'
import { readTraceparent, traceIdOf } from '../../../src/models/transport/traceparent.ts'

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
const GOOD = `00-${TRACE}-00f067aa0ba902b7-01`

it('a trace context is read, and logged by its trace', () => {
  expect(readTraceparent(GOOD)).toBe(GOOD)
  expect(traceIdOf(GOOD)).toBe(TRACE)
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
])('%s is neither read nor logged', (_, header) => {
  expect(readTraceparent(header)).toBeUndefined()
  expect(traceIdOf(header)).toBeUndefined()
})
