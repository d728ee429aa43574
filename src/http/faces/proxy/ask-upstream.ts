import type { Wire } from '../../../domain/agents/request-view.ts'
import { isRecord } from '../../../domain/is-record.ts'
import { parseJson } from '../../../domain/parse-json.ts'
import type { CallerQuestion, CallerReply, CallerUpstream } from '../../../models/caller-upstream.ts'
import type { Models } from '../../../models/model.ts'
import { ResponseError } from '../../../models/transport/response-error.ts'
import type { Upstream } from './upstreams.ts'

export interface CallerUpstreamOptions {
  readonly upstream: Upstream
  readonly wire: Wire
  /** Of the request that was on its way; its model is asked for by another name. */
  readonly path: string
  readonly headers: readonly string[]
}

const MOST_BYTES = 16 * 1024 * 1024
/** Of one body only, or of what only a browser of streams could read. */
const NOT_OURS: ReadonlySet<string> = new Set(['content-length', 'content-encoding', 'accept-encoding', 'accept'])

/** Asks the provider that a request was on its way to, in its own wire and with the caller's credentials. */
export function callerUpstream({ upstream, wire, path, headers }: CallerUpstreamOptions): CallerUpstream {
  const own = headers.filter((_, at) => !NOT_OURS.has((headers[at - (at % 2)] ?? '').toLowerCase()))
  return {
    async ask(question, signal) {
      const { request, read } = WIRES[wire]
      // The rest of undici, loaded by the first of the few who need it (connection-pool.ts).
      const { request: exchange } = await import('undici')
      const response = await exchange(new URL(pathFor(wire, path, question), upstream.url), {
        dispatcher: upstream.dispatcher,
        method: 'POST',
        headers: own,
        body: JSON.stringify(request(question)),
        signal,
      })
      const { statusCode: status } = response
      const text = await textOf(response.body)
      const value = parseJson(text)
      if (status !== 200 || !isRecord(value)) {
        throw new ResponseError({
          status,
          headers: new Headers(),
          body: isRecord(value) ? value : text.slice(0, 65_536),
          message: '',
        })
      }
      return read(value)
    },
  }
}

/** The models of a process for one proxied request: `caller/<model>` candidates ask its own provider. */
export function withCallerUpstream(models: Models, through: CallerUpstream): Models {
  return {
    known: models.known,
    chain: models.chain,
    pinned: () => withCallerUpstream(models.pinned(), through),
    select(selection) {
      const selected = models.select({ ...selection, throughCaller: true })
      // What one caller's credentials paid for is not another's to take from a cache.
      return {
        ...selected,
        complete: (request, signal) => selected.complete({ ...request, through, noCache: true }, signal),
      }
    },
  }
}

function pathFor(wire: Wire, path: string, { model }: CallerQuestion): string {
  if (wire === 'gemini')
    return path.replace(/models\/[^/?]{1,400}(?=\?|$)/, `models/${model}:generateContent`).replace(/[?&]alt=sse/, '')
  return wire === 'responses' ? path.replace(/\/responses\/compact(?=\?|$)/, '/responses') : path
}

type Json = Readonly<Record<string, unknown>>

interface WireWords {
  readonly request: (question: CallerQuestion) => object
  readonly read: (answer: Json) => CallerReply
}

const WIRES: Readonly<Record<Wire, WireWords>> = {
  messages: {
    request: ({ model, system, prompt, maxTokens }) => ({
      model,
      max_tokens: maxTokens,
      system,
      messages: [{ role: 'user', content: prompt }],
    }),
    read: (answer) => ({
      text: texts(answer['content']),
      inputTokens: count(answer['usage'], 'input_tokens'),
      outputTokens: count(answer['usage'], 'output_tokens'),
      isCut: answer['stop_reason'] === 'max_tokens',
    }),
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
    read(answer) {
      const choice = first(answer['choices'])
      return {
        text: String(member(choice['message'], 'content') ?? ''),
        inputTokens: count(answer['usage'], 'prompt_tokens'),
        outputTokens: count(answer['usage'], 'completion_tokens'),
        isCut: choice['finish_reason'] === 'length',
      }
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
    read: (answer) => ({
      text: list(answer['output'])
        .map((item) => texts(member(item, 'content')))
        .join(''),
      inputTokens: count(answer['usage'], 'input_tokens'),
      outputTokens: count(answer['usage'], 'output_tokens'),
      isCut: answer['status'] === 'incomplete',
    }),
  },
  gemini: {
    request: ({ system, prompt, maxTokens }) => ({
      systemInstruction: { parts: [{ text: system }] },
      contents: [{ role: 'user', parts: [{ text: prompt }] }],
      generationConfig: { maxOutputTokens: maxTokens },
    }),
    read(answer) {
      const candidate = first(answer['candidates'])
      return {
        text: texts(member(candidate['content'], 'parts')),
        inputTokens: count(answer['usageMetadata'], 'promptTokenCount'),
        outputTokens: count(answer['usageMetadata'], 'candidatesTokenCount'),
        isCut: candidate['finishReason'] === 'MAX_TOKENS',
      }
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

async function textOf(body: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of body) {
    size += chunk.length
    if (size > MOST_BYTES) throw new Error('The answer is longer than 16 MiB')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}
