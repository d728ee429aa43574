import { traceWith } from '../models/tracing.ts'

type Environment = Readonly<Record<string, string | undefined>>

export const isTraced = (environment: Environment): boolean => Boolean(environment['OTEL_EXPORTER_OTLP_ENDPOINT'])

/**
 * Sends spans to an OpenTelemetry collector where the environment names one; nothing of the SDK is loaded elsewhere. What the
 * standard variables say (`OTEL_EXPORTER_OTLP_HEADERS`, `OTEL_TRACES_SAMPLER`, `OTEL_SERVICE_NAME` …) holds. Returns how to
 * send what is left.
 */
export async function startTracing(environment: Environment, version: string): Promise<() => Promise<void>> {
  if (!isTraced(environment)) return async () => {}
  const [api, { BatchSpanProcessor, NodeTracerProvider }, { OTLPTraceExporter }, resources] = await Promise.all([
    import('@opentelemetry/api'),
    import('@opentelemetry/sdk-trace-node'),
    import('@opentelemetry/exporter-trace-otlp-http'),
    import('@opentelemetry/resources'),
  ])
  const own = resources.resourceFromAttributes({ 'service.name': 'recapd', 'service.version': version })
  const named = resources.detectResources({ detectors: [resources.envDetector] })
  const provider = new NodeTracerProvider({
    resource: resources.defaultResource().merge(own).merge(named),
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())],
  })
  api.trace.setGlobalTracerProvider(provider)
  traceWith(api)
  return () => provider.shutdown()
}
