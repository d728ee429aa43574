import http from 'node:http'

/** How one request ended. */
export interface Asked {
  /** 0: the connection broke. */
  readonly status: number
  readonly ms: number
  /** What a refusal asks for, in ms; undefined where it asks for nothing. */
  readonly retryAfterMs: number | undefined
}

export interface Question {
  readonly agent: http.Agent
  readonly port: number
  /** Makes the prompt another one: equal ones share a call. */
  readonly number: number
  readonly key?: string | undefined
}

/** One small `/summarize`, read to its end. */
export function ask({ agent, port, number, key }: Question): Promise<Asked> {
  const startedAt = performance.now()
  const body = JSON.stringify({ systemPrompt: 'You summarise.', prompt: `What happened in case ${number}?` })
  return new Promise((resolve) => {
    const end = (status: number, after?: string) =>
      resolve({
        status,
        ms: performance.now() - startedAt,
        retryAfterMs: after === undefined ? undefined : 1_000 * Number(after),
      })
    const headers = { 'content-type': 'application/json', ...(key === undefined ? {} : { 'x-api-key': key }) }
    const request = http.request({ port, agent, headers, method: 'POST', path: '/summarize' }, (response) => {
      response.resume()
      response.on('end', () => end(response.statusCode ?? 0, response.headers['retry-after']))
    })
    request.on('error', () => end(0))
    request.end(body)
  })
}
