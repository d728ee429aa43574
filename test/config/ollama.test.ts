import { expect, it } from 'vitest'
import { ConfigError } from '../../src/config/config-error.ts'
import { loadConfig } from '../../src/config/load-config.ts'
import { serverOfTest } from '../support/server-of-test.ts'

/** A host that answers as Ollama does; `shown` is what /api/show says of each model. */
async function ollama(tags: readonly object[], shown: Readonly<Record<string, object>>): Promise<string> {
  const { port } = await serverOfTest((request, response) => {
    let body = ''
    request.on('data', (data) => {
      body += data
    })
    request.on('end', () => {
      const answer =
        request.url === '/api/tags' ? { models: tags } : shown[(JSON.parse(body || '{}') as { model: string }).model]
      response.writeHead(answer === undefined ? 404 : 200, { 'content-type': 'application/json' })
      response.end(JSON.stringify(answer ?? {}))
    })
  })
  return `127.0.0.1:${port}`
}

it('OLLAMA_HOST brings the first model that makes no embeddings, with the window it is served with', async () => {
  const tags = [
    { name: 'nomic-embed-text:latest' },
    { name: 'qwen3:8b', details: { family: 'qwen3' } },
    { name: 'gemma3:4b' },
  ]
  const host = await ollama(tags, {
    'qwen3:8b': { parameters: 'stop "<|im_end|>"\nnum_ctx 12288', model_info: { 'qwen3.context_length': 40_960 } },
  })
  const config = await loadConfig({ OLLAMA_HOST: host })
  expect(config.candidates).toEqual(['ollama/qwen3:8b'])
  expect(config.providers['ollama']).toMatchObject({
    baseUrl: `http://${host}/v1`,
    apiKeys: [],
    models: { 'qwen3:8b': { contextWindow: 12_288 } },
  })
})

it('what the host does not tell is 4096 tokens, and said; what the operator tells is taken', async () => {
  const host = await ollama([], { told: {} })
  const config = await loadConfig({ OLLAMA_HOST: host, RECAPD_MODELS: 'ollama/silent,ollama/known@20000' })
  expect(config.providers['ollama']).toMatchObject({
    models: { silent: { contextWindow: 4_096 }, known: { contextWindow: 20_000 } },
  })
  expect(config.notes.join('\n')).toContain('ollama/silent: window unknown, taken as 4096')
})

it('a host without a usable model refuses the start and says what to do', async () => {
  const host = await ollama([{ name: 'bge-m3' }], {})
  const error: unknown = await loadConfig({ OLLAMA_HOST: host }).catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(ConfigError)
  expect((error as ConfigError).faults).toEqual([
    { path: 'OLLAMA_HOST', message: expect.stringContaining('pull a model') },
  ])
})
