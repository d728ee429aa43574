import type { AgentAnswer } from '../pipelines/faces/answer-agent.ts'

/** What became of a request that came through the proxy; what goes on, or back, is the JSON. */
export type Proxied = Omit<AgentAnswer, 'body' | 'model'>

/** The serialised answer of one request: made once, where the work was done. */
export interface Answer {
  readonly json: string
  readonly cache?: 'hit' | 'miss' | 'coalesced' | undefined
  /** What became of a request that came through the proxy. */
  readonly proxied?: Proxied | undefined
  /** For the access log: which model answered. */
  readonly model?: string | undefined
}

/** An answer for who asked no model. */
export const answer = (result: object): Answer => ({ json: JSON.stringify(result) })

/** One made with a single completion, which knows whether it was kept. */
export function completed({
  cache,
  ...result
}: { readonly model: string; readonly cache: Answer['cache'] } & object): Answer {
  return { ...answer(result), model: result.model, cache }
}

/** One made with any number of calls; the first one's model names it. */
export const called = (result: { readonly calls: readonly { readonly model: string }[] }): Answer => ({
  ...answer(result),
  model: result.calls[0]?.model,
})

/** One of the proxy: the body that goes on, or the answer in the agent's own shape. */
export function proxied({ body, model, ...what }: AgentAnswer): Answer {
  return { json: body === undefined ? '' : JSON.stringify(body), model, proxied: what }
}
