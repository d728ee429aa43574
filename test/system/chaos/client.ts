import http from 'node:http'

export interface ClientAnswer {
  readonly status: number
  readonly headers: http.IncomingHttpHeaders
  readonly body: string
}

export interface Client {
  /** Rejects with the signal's reason, or when the connection breaks before the answer is whole. */
  post(path: string, body: unknown, headers?: http.OutgoingHttpHeaders, signal?: AbortSignal): Promise<ClientAnswer>
  get(path: string, signal?: AbortSignal): Promise<ClientAnswer>
  close(): void
}

/** Keeps its connections, as agents do. */
export function client(url: string): Client {
  const agent = new http.Agent({ keepAlive: true })
  const ask = (path: string, { signal, ...options }: http.RequestOptions, body?: string): Promise<ClientAnswer> =>
    new Promise((resolve, reject) => {
      const given = signal === undefined ? options : { ...options, signal }
      const outgoing = http.request(new URL(path, url), { agent, ...given }, async (response) => {
        try {
          const parts: Buffer[] = []
          for await (const part of response) parts.push(part)
          const { statusCode: status = 0 } = response
          resolve({ status, headers: response.headers, body: Buffer.concat(parts).toString() })
        } catch (error) {
          reject(error)
        }
      })
      outgoing.on('error', reject)
      outgoing.end(body)
    })
  return {
    post: (path, body, headers = {}, signal) =>
      ask(
        path,
        { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, signal },
        JSON.stringify(body),
      ),
    get: (path, signal) => ask(path, { signal }),
    close: () => agent.destroy(),
  }
}

/** Runs the jobs, so many at once, and resolves with what became of them in their order. */
export async function atOnce<T>(most: number, jobs: readonly (() => Promise<T>)[]): Promise<T[]> {
  const results: T[] = []
  const queue = jobs.entries()
  const work = async () => {
    for (const [i, job] of queue) results[i] = await job()
  }
  await Promise.all(Array.from({ length: most }, work))
  return results
}
