import { once } from 'node:events'
import { type AddressInfo, connect, type Server } from 'node:net'
import { text } from 'node:stream/consumers'
import type { Config } from '../config/load-config.ts'
import { configSchema } from '../config/schema.ts'
import { EXTRACTIVE_ID } from '../models/candidate-ids.ts'
import { buildService } from './build-service.ts'
import { createLogger } from './log.ts'

// Not imported, as in http/plugins/broken-request.ts.
const { createServer } = process.getBuiltinModule('node:http')

/** As long as the shortest that somebody would have summarized. */
const PROMPT = 'words '.repeat(200)
const ANSWER = JSON.stringify({
  choices: [{ index: 0, message: { role: 'assistant', content: 'Fine.' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 200, completion_tokens: 2 },
})

/**
 * Has so many requests answered by a second service, with a provider of its own on loopback, so that what they need is compiled
 * when the first real one comes. Nothing of it is left: no metric, log line, usage or cached answer is the real service's. Rejects
 * where it cannot listen on loopback, or where an answer is none.
 */
export async function rehearse(config: Config, requests: number): Promise<void> {
  const provider = createServer((request, response) => {
    request.resume().once('end', () => response.writeHead(200, { 'content-type': 'application/json' }).end(ANSWER))
  })
  try {
    provider.listen(0, '127.0.0.1')
    await once(provider, 'listening')
    await play(stageOf(config, `http://127.0.0.1:${portOf(provider)}/v1`), requests)
  } finally {
    provider.close()
    provider.closeAllConnections()
  }
}

async function play(stage: Config, requests: number): Promise<void> {
  const { app, close } = await buildService(stage, createLogger(stage.log.level, { write() {} }), { isWatched: false })
  try {
    await app.listen({ host: '127.0.0.1', port: 0 })
    for (let n = 0; n < requests; n += 1) await ask(portOf(app.server), `${n} ${PROMPT}`)
  } finally {
    await close()
  }
}

/** Defaults but for what shapes the path of a request: it must not fail by a limit, nor wait for Redis or a hook. */
function stageOf(config: Config, baseUrl: string): Config {
  const model = { contextWindow: 128_000 }
  const defaults = configSchema.parse({
    log: config.log,
    providers: { rehearsal: { baseUrl, apiKeys: ['rehearsal'], models: { model } } },
  })
  return {
    ...config,
    ...defaults,
    server: { ...defaults.server, docs: false, drainMs: 0 },
    candidates: [config.candidates[0] === EXTRACTIVE_ID ? EXTRACTIVE_ID : 'rehearsal/model'],
    prompts: config.prompts,
    hooks: undefined,
  }
}

/** Over a socket, as a caller does; a client would have to be loaded. */
async function ask(port: number, prompt: string): Promise<void> {
  const body = JSON.stringify({ systemPrompt: 'Summarize.', prompt })
  const socket = connect(port, '127.0.0.1')
  const head = ['POST /summarize HTTP/1.1', 'host: 127.0.0.1', 'connection: close', 'content-type: application/json']
  socket.write(`${head.join('\r\n')}\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`)
  const answer = await text(socket)
  if (!answer.startsWith('HTTP/1.1 200 ')) throw new Error(answer.slice(0, answer.indexOf('\r\n')))
}

function portOf(server: Pick<Server, 'address'>): number {
  const bound: AddressInfo | string | null = server.address()
  if (bound === null || typeof bound === 'string') throw new Error('not listening on a port')
  return bound.port
}
