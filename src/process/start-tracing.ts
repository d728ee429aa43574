import { trace } from '@opentelemetry/api'

/**
 * Sends spans to an OpenTelemetry collector where the environment names one; nothing of the SDK is loaded elsewhere. What the
 * standard variables say (`OTEL_EXPORTER_OTLP_HEADERS`, `OTEL_TRACES_SAMPLER`, `OTEL_SERVICE_NAME` …) holds. Returns how to
 * send what is left.
 */
export async function startTracing(
  environment: Readonly<Record<string, string | undefined>>,
  version: string,
): Promise<() => Promise<void>> {
  if (!environment['OTEL_EXPORTER_OTLP_ENDPOINT']) return async () => {}
  const [{ BatchSpanProcessor, NodeTracerProvider }, { OTLPTraceExporter }, resources] = await Promise.all([
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
  trace.setGlobalTracerProvider(provider)
  return () => provider.shutdown()
}
