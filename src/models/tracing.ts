import type { Attributes, SpanContext } from '@opentelemetry/api'

type OpenTelemetry = typeof import('@opentelemetry/api')

/** One piece of a trace that has begun. Its context is plain text, so that it can cross a thread and go to a provider. */
export interface RunningSpan {
  /** W3C trace context for what runs under this span; without a tracer the one it was given, unchanged. */
  readonly traceparent: string | undefined
  end(outcome?: SpanOutcome): void
}

export interface SpanOutcome {
  readonly attributes?: Attributes | undefined
  /** A word of ours for what went wrong, never a message: nothing of a conversation is in a trace. */
  readonly error?: string | undefined
}

export interface SpanOptions {
  readonly name: string
  readonly kind: 'server' | 'internal' | 'client'
  readonly parent: string | undefined
  readonly attributes?: Attributes
}

const KINDS = { server: 'SERVER', internal: 'INTERNAL', client: 'CLIENT' } as const

let openTelemetry: OpenTelemetry | undefined

/** From now on spans go to the tracer that is registered there. Given, not imported: most processes trace nothing, and do without its modules. */
export function traceWith(api: OpenTelemetry | undefined): void {
  openTelemetry = api
}

/** Begins a span under a trace context (docs/spec/production.md §5). Costs nothing where no tracer was set up. */
export function startSpan({ name, kind, parent, attributes }: SpanOptions): RunningSpan {
  if (openTelemetry === undefined) return { traceparent: parent, end() {} }
  const { ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } = openTelemetry
  const inherited = parent === undefined ? undefined : readContext(parent)
  const context = inherited === undefined ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, inherited)
  const span = trace
    .getTracer('recapd')
    .startSpan(name, { kind: SpanKind[KINDS[kind]], ...(attributes && { attributes }) }, context)
  return {
    traceparent: writeContext(span.spanContext()),
    end({ attributes: more, error } = {}) {
      if (more !== undefined) span.setAttributes(more)
      if (error !== undefined) {
        span.setAttribute('error.type', error)
        span.setStatus({ code: SpanStatusCode.ERROR, message: error })
      }
      span.end()
    },
  }
}

function readContext(traceparent: string): SpanContext {
  const [, traceId = '', spanId = '', flags = ''] = traceparent.split('-')
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true }
}

function writeContext({ traceId, spanId, traceFlags }: SpanContext): string | undefined {
  if (/^0{1,32}$/.test(traceId)) return undefined
  return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`
}
