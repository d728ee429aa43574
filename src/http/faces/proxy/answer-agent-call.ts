import type { FastifyReply, FastifyRequest } from 'fastify'
import { RecapdError } from '../../../domain/errors.ts'
import type { AgentWire } from '../../../pipelines/pipeline-context.ts'
import type { Answer } from '../../../requests/answer.ts'
import { onTheClock } from '../../answers/request-clock.ts'
import { contextOf, type WorkDependencies } from '../../routes/work.ts'
import { chatStream, type FaceStreams, geminiStream, messagesStream, responsesStream } from '../face-streams.ts'
import { callerUpstream, withCallerUpstream } from './ask-upstream.ts'
import type { PassedBody } from './pass-through.ts'
import type { ProxyMetrics } from './proxy-metrics.ts'
import { type ReadingLimits, readWhole, type Suspect, suspectIn, wireOf } from './suspect.ts'
import type { Upstream } from './upstreams.ts'

export interface AgentDependencies extends WorkDependencies, ReadingLimits {
  readonly counters: ProxyMetrics
}

/** A request before it is handed on. */
export interface Arrived {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly upstream: Upstream
  readonly path: string
  /** As they are passed on. */
  readonly headers: readonly string[]
}

/** Answered by us, or the body and headers that are passed on. */
export type AgentCallRead =
  | { readonly kind: 'answered' }
  | {
      readonly kind: 'goes-on'
      readonly agent: string
      readonly headers: readonly string[]
      readonly body: PassedBody
    }

const STREAMS: Readonly<Record<AgentWire['wire'], FaceStreams>> = {
  messages: messagesStream,
  chat: chatStream,
  responses: responsesStream,
  gemini: geminiStream,
}

/** Reads what may be a compaction call and answers it; whatever we cannot answer goes on as it came. */
export async function answerAgentCall(arrived: Arrived, dependencies: AgentDependencies): Promise<AgentCallRead> {
  const { request, upstream, headers } = arrived
  const agent = agentNamed(request.headers['user-agent'])
  if (!hasBody(request)) return { kind: 'goes-on', agent, headers, body: null }
  const wire = wireOf(request, upstream.speaks)
  if (wire === null) return { kind: 'goes-on', agent, headers, body: request.raw }
  const peeked = await readWhole(request, dependencies)
  if (peeked.kind === 'part') return { kind: 'goes-on', agent, headers, body: peeked.stream }
  const passes = { kind: 'goes-on', agent, headers, body: peeked.pieces } as const
  const suspect = await suspectIn(request, peeked.pieces, { wire, limits: dependencies })
  if (suspect === null) return passes
  const made = await summaryOf({ ...arrived, wire, suspect }, dependencies)
  if (made?.proxied?.kind === 'opened') {
    return { ...passes, headers: plainHeaders(headers), body: [Buffer.from(made.json)] }
  }
  if (made?.proxied?.kind !== 'summary') return passes
  sendSummary(arrived, { ...made, wire: wire.wire }, dependencies)
  return { kind: 'answered' }
}

interface Asked extends Arrived {
  readonly wire: AgentWire
  readonly suspect: Suspect
}

/** Null where our own chain failed: the provider is asked instead, so that nobody is worse off than without us. */
async function summaryOf(asked: Asked, dependencies: AgentDependencies): Promise<Answer | null> {
  const { request, reply, wire, suspect } = asked
  const { offload, pipelines } = dependencies
  const models = withCallerUpstream(pipelines.models, callerUpstream({ ...asked, wire: wire.wire }))
  const deps = { ...pipelines, models }
  try {
    return await onTheClock({ request, reply }, dependencies, (clock) => {
      const context = { ...contextOf(request, clock, false), wire }
      const call = { endpoint: 'agent-call', mediaType: 'json', query: {}, ...suspect, context } as const
      return offload.run({ call, deps }, clock.signal)
    })
  } catch (thrown) {
    if (thrown instanceof RecapdError && thrown.code === 'client-closed') throw thrown
    const code = thrown instanceof RecapdError ? thrown.code : 'internal'
    request.log.warn({ code, path: wire.wire }, 'no summary for a compaction call; it goes on to the provider')
    return null
  }
}

function sendSummary(
  { request, reply }: Arrived,
  { wire, json, model, proxied }: Answer & { readonly wire: AgentWire['wire'] },
  { counters }: AgentDependencies,
): void {
  const agent = proxied?.agent ?? 'other'
  counters.request(agent, 'summary')
  counters.savedTokens(agent, proxied?.savedTokens ?? 0)
  request.answeredBy = model
  reply.header('x-recapd', 'summary')
  const [place = '', query = ''] = (request.raw.url ?? '').split('?', 2)
  const isGeminiStream = place.endsWith(':streamGenerateContent')
  if (proxied?.isStreamed !== true && !(isGeminiStream && /(?:^|&)alt=sse(?:&|$)/.test(query))) {
    // Gemini's stream without `alt=sse` is one list of what would be its events.
    void reply.header('content-type', 'application/json; charset=utf-8').send(isGeminiStream ? `[${json}]` : json)
    return
  }
  const events = STREAMS[wire]({ id: request.id, createdAt: Date.now() }).answer(json)
  void reply.header('content-type', 'text/event-stream; charset=utf-8').send(events)
}

/** The body is a new one: length and coding of the old one no longer apply. */
function plainHeaders(headers: readonly string[]): string[] {
  return headers.flatMap((name, at) => {
    const isName = at % 2 === 0
    const isDropped = ['content-length', 'content-encoding'].includes(
      (isName ? name : (headers[at - 1] ?? '')).toLowerCase(),
    )
    return isDropped ? [] : [name]
  })
}

const hasBody = ({ headers }: FastifyRequest): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

const AGENTS: readonly (readonly [RegExp, string])[] = [
  [/^claude-cli\//i, 'claude-code'],
  [/^codex|codex_/i, 'codex'],
  [/^opencode\//i, 'opencode'],
  [/^GeminiCLI/i, 'gemini-cli'],
  [/^RooCode\//i, 'roo'],
  [/^Zed\//i, 'zed'],
  [/^pi\//i, 'pi'],
  [/^goose/i, 'goose'],
  [/continue/i, 'continue'],
  [/^cline/i, 'cline'],
]

/** The agent behind a request that passes, as far as it names itself; for the metrics only. */
const agentNamed = (userAgent = ''): string => AGENTS.find(([pattern]) => pattern.test(userAgent))?.[1] ?? 'other'
