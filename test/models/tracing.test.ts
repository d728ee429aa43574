import * as openTelemetry from '@opentelemetry/api'
import { InMemorySpanExporter, NodeTracerProvider, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-node'
import { afterEach, expect, it } from 'vitest'
import { startSpan, traceWith } from '../../src/models/tracing.ts'

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
const PARENT = `00-${TRACE}-00f067aa0ba902b7-01`

afterEach(() => {
  openTelemetry.trace.disable()
  traceWith(undefined)
})

function collect() {
  const exporter = new InMemorySpanExporter()
  const provider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] })
  openTelemetry.trace.setGlobalTracerProvider(provider)
  traceWith(openTelemetry)
  return exporter
}

it.each([PARENT, undefined, PARENT.replace(/01$/, '00')])(
  'startSpan hands a context on unchanged where no tracer is set up: %s',
  (parent) => {
    const span = startSpan({ name: 'x', kind: 'internal', parent })
    span.end()
    expect(span.traceparent).toBe(parent)
  },
)

it('startSpan makes a span under its parent, whose context is the parent of the next', () => {
  const exporter = collect()
  const outer = startSpan({ name: 'outer', kind: 'server', parent: PARENT })
  const inner = startSpan({ name: 'inner', kind: 'client', parent: outer.traceparent, attributes: { a: 1 } })
  inner.end({ attributes: { b: 2 }, error: 'timeout' })
  outer.end()
  const [first, second] = exporter.getFinishedSpans()
  expect(second?.parentSpanContext?.spanId).toBe('00f067aa0ba902b7')
  expect(first?.parentSpanContext?.spanId).toBe(second?.spanContext().spanId)
  expect(first?.attributes).toEqual({ a: 1, b: 2, 'error.type': 'timeout' })
  expect([first, second].map((span) => span?.spanContext().traceId)).toEqual([TRACE, TRACE])
})

it('startSpan begins a trace of its own where there is no parent', () => {
  collect()
  expect(startSpan({ name: 'x', kind: 'server', parent: undefined }).traceparent).toMatch(
    /^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/,
  )
})
