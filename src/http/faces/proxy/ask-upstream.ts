import type { Wire } from '../../../domain/agents/request-view.ts'
import { isRecord } from '../../../domain/is-record.ts'
import { parseJson } from '../../../domain/parse-json.ts'
import type { CallerQuestion, CallerReply, CallerUpstream } from '../../../models/caller-upstream.ts'
import type { Models } from '../../../models/model.ts'
import { answerBounds } from '../../../models/output-cap.ts'
import { responseError } from '../../../models/transport/response-error.ts'
import { postThrough } from '../../../models/transport/transport.ts'
import type { Upstream } from './upstreams.ts'

export interface CallerUpstreamOptions {
  readonly upstream: Upstream
  readonly wire: Wire
  /** Of the request that was on its way; its model is asked for by another name. */
  readonly path: string
  readonly headers: readonly string[]
}

/** Headers about one body only, or that would ask for a stream. */
const NOT_OURS: ReadonlySet<string> = new Set(['content-length', 'content-encoding', 'accept-encoding', 'accept'])

/** Asks the provider that a request was on its way to, in its own wire and with the caller's credentials. */
export function callerUpstream({ upstream, wire, path, headers }: CallerUpstreamOptions): CallerUpstream {
  const own = headers.filter((_, at) => !NOT_OURS.has((headers[at - (at % 2)] ?? '').toLowerCase()))
  return {
    secrets: credentialsIn(path, own),
    async ask(question, signal) {
      const { request, usage, read } = WIRES[wire]
      const response = await postThrough(upstream.dispatcher, {
        path: pathFor(wire, path, question),
        headers: own,
        body: JSON.stringify(request(question)),
        wireBytes: answerBounds(question.maxTokens).wireBytes,
        signal,
      })
      if (!response.ok) throw await responseError(response)
      const answer = parseJson(await response.text())
      if (!isRecord(answer)) return null
      const [member, input, output] = usage
      return {
        ...read(answer),
        inputTokens: count(answer[member], input),
        outputTokens: count(answer[member], output),
      }
    },
  }
}

/** Names of headers that carry credentials, whatever a gateway calls them. */
const CREDENTIAL = /auth|key|token|secret|cookie|session|password/i
/** Shorter ones would be ordinary words. */
const LEAST_CREDENTIAL = 6

/** Everything in a proxied request that may be a credential, as a provider may repeat it. The longest first: one may contain another. */
function credentialsIn(path: string, headers: readonly string[]): readonly string[] {
  const values = headers.filter((_, at) => at % 2 === 1 && CREDENTIAL.test(headers[at - 1] ?? ''))
  const query = path.split('?', 2)[1] ?? ''
  const spelled = [...values, ...query.split('&').map((part) => part.slice(part.indexOf('=') + 1))]
  const plain = [...new URLSearchParams(query).values()]
  // `Bearer x`, `a=b; c=d`
  const parts = spelled.flatMap((value) => [value, ...value.split(/[\s;=]+/)])
  const long = new Set([...parts, ...plain].filter(({ length }) => length >= LEAST_CREDENTIAL))
  return [...long].sort((one, other) => other.length - one.length)
}

/** The models of a process for one proxied request: `caller/<model>` candidates ask its own provider. */
export function withCallerUpstream(models: Models, through: CallerUpstream): Models {
  return {
    known: models.known,
    chain: models.chain,
    pinned: () => withCallerUpstream(models.pinned(), through),
    select(selection) {
      const selected = models.select({ ...selection, throughCaller: true })
      // An answer that one caller's credentials paid for must not reach another caller from a cache.
      return {
        ...selected,
        complete: (request, signal) => selected.complete({ ...request, through, noCache: true }, signal),
      }
    },
  }
}

function pathFor(wire: Wire, path: string, { model }: CallerQuestion): string {
  if (wire === 'responses') return path.replace(/\/responses\/compact(?=\?|$)/, '/responses')
  if (wire !== 'gemini') return path
  const [place = '', query = ''] = path.split('?', 2)
  // A key may stand in the query, beside the word that asks for a stream.
  const rest = query.split('&').filter((part) => part !== '' && !part.startsWith('alt='))
  const asked = place.replace(/models\/[^/]{1,400}$/, () => `models/${model}:generateContent`)
  return rest.length === 0 ? asked : `${asked}?${rest.join('&')}`
}

type Json = Readonly<Record<string, unknown>>

interface WireWords {
  readonly request: (question: CallerQuestion) => object
  /** Where an answer counts its tokens. */
  readonly usage: readonly [member: string, input: string, output: string]
  readonly read: (answer: Json) => Pick<CallerReply, 'text' | 'isCut'>
}

const WIRES: Readonly<Record<Wire, WireWords>> = {
  messages: {
    request: ({ model, system, prompt, maxTokens }) => ({
      model,
      max_tokens: maxTokens,
      system,
      messages: [{ role: 'user', content: prompt }],
    }),
    usage: ['usage', 'input_tokens', 'output_tokens'],
    read: (answer) => ({ text: texts(answer['content']), isCut: answer['stop_reason'] === 'max_tokens' }),
  },
  chat: {
    request: ({ model, system, prompt, maxTokens }) => ({
      model,
      max_completion_tokens: maxTokens,
      messages: [
        { role: 'system', content: system },
        { role: 'user', content: prompt },
      ],
    }),
    usage: ['usage', 'prompt_tokens', 'completion_tokens'],
    read(answer) {
      const choice = first(answer['choices'])
      return { text: String(member(choice['message'], 'content') ?? ''), isCut: choice['finish_reason'] === 'length' }
    },
  },
  responses: {
    request: ({ model, system, prompt, maxTokens }) => ({
      model,
      instructions: system,
      input: prompt,
      max_output_tokens: maxTokens,
      store: false,
    }),
    usage: ['usage', 'input_tokens', 'output_tokens'],
    read: (answer) => ({
      text: list(answer['output'])
        .map((item) => texts(member(item, 'content')))
        .join(''),
      isCut: answer['status'] === 'incomplete',
    }),
  },
  gemini: {
    request: ({ system, prompt, maxTokens }) => ({
      systemInstruction: { parts: [{ text: system }] },
      contents: [{ role: 'user', parts: [{ text: prompt }] }],
      generationConfig: { maxOutputTokens: maxTokens },
    }),
    usage: ['usageMetadata', 'promptTokenCount', 'candidatesTokenCount'],
    read(answer) {
      const candidate = first(answer['candidates'])
      return { text: texts(member(candidate['content'], 'parts')), isCut: candidate['finishReason'] === 'MAX_TOKENS' }
    },
  },
}

const member = (value: unknown, name: string): unknown => (isRecord(value) ? value[name] : undefined)
const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
const first = (value: unknown): Json => list(value).find(isRecord) ?? {}
const texts = (parts: unknown): string =>
  list(parts)
    .map((part) => member(part, 'text'))
    .filter((text) => typeof text === 'string')
    .join('')

function count(usage: unknown, name: string): number | undefined {
  const value = member(usage, name)
  return typeof value === 'number' && value >= 0 ? value : undefined
}
