import type { AgentAnswer } from '../pipelines/faces/answer-agent.ts'

/** What became of a request that came through the proxy; what goes on, or back, is the JSON. */
export type Proxied = Omit<AgentAnswer, 'body' | 'model'>

/** The serialised answer of one request: made once, where the work was done. */
export interface Answer {
  readonly json: string
  /** Where the JSON goes on to say what it cost: the members `calls` and `usage` stand last, as a joiner gets them with other figures. */
  readonly costAt?: number | undefined
  readonly cache?: 'hit' | 'miss' | 'coalesced' | undefined
  /** What became of a request that came through the proxy. */
  readonly proxied?: Proxied | undefined
  /** For the access log: which model answered. */
  readonly model?: string | undefined
}

/** An answer that needed no model. */
export const answer = (result: object): Answer => ({ json: JSON.stringify(result) })

/** One made with a single completion, which knows whether it came from the cache. */
export function completed({
  cache,
  ...result
}: { readonly model: string; readonly cache: Answer['cache'] } & object): Answer {
  return { ...answer(result), model: result.model, cache }
}

/** One made with any number of calls; the first one's model names it. */
export function called({ calls, usage, ...result }: Called): Answer {
  const { json } = answer(result)
  const costAt = json.length - 1
  return {
    json: `${json.slice(0, costAt)},${JSON.stringify({ calls, usage }).slice(1)}`,
    costAt,
    model: calls[0]?.model,
  }
}

interface Called {
  readonly calls: readonly { readonly model: string }[]
  readonly usage: object
}

/** One of the proxy: the body that goes on, or the answer in the agent's own shape. */
export function proxied({ body, model, ...what }: AgentAnswer): Answer {
  return { json: body === undefined ? '' : JSON.stringify(body), model, proxied: what }
}
