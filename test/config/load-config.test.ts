import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ConfigError } from '../../src/config/config-error.ts'
import { loadConfig } from '../../src/config/load-config.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'recapd-config-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function file(name: string, text: string): string {
  const full = path.join(folder, name)
  writeFileSync(full, text)
  return full
}

async function faultsOf(variables: Record<string, string>): Promise<string[]> {
  const error: unknown = await loadConfig(variables).catch((thrown: unknown) => thrown)
  if (!(error instanceof ConfigError)) throw new Error(`no ConfigError but ${String(error)}`)
  return error.faults.map((fault) => `${fault.path}: ${fault.message}`)
}

const PROVIDERS = {
  alpha: { baseUrl: 'http://127.0.0.1:9/v1', apiKeys: ['k'], models: { small: { contextWindow: 8000 } } },
}
const configFile = (value: object) => ({ RECAPD_CONFIG: file('recapd.json', JSON.stringify(value)) })

describe('loadConfig with unknown references', () => {
  it('names them together with faults of shape', async () => {
    const faults = await faultsOf(
      configFile({
        server: { port: 'much' },
        providers: { ...PROVIDERS, beta: { baseUrl: 7, models: { big: {} } } },
        candidates: ['ghost/x', 'beta/big'],
        moa: { careful: { references: ['alpha/small', 'ghost/y'], aggregator: 'ghost/z', minSuccessful: 'all' } },
      }),
    )
    for (const path of [
      'server.port',
      'providers.beta.baseUrl',
      'candidates.0',
      'moa.careful.references.1',
      'moa.careful.aggregator',
    ])
      expect(
        faults.some((fault) => fault.startsWith(`${path}: `)),
        path,
      ).toBe(true)
    expect(faults.filter((fault) => fault.startsWith('candidates.'))).toHaveLength(1)
  })
})

describe('loadConfig reading its file', () => {
  it('takes JSON with colons, quotes and escapes in its texts', async () => {
    const apiKeys = ['a":"b', '": {', 'c\\\\":', 'd"}', ':']
    const providers = { alpha: { ...PROVIDERS.alpha, apiKeys } }
    expect((await loadConfig(configFile({ providers }))).providers['alpha']?.apiKeys).toEqual(apiKeys)
  })

  it.each([
    ['JSON', '{"server": {"port": 1, "port": 2}}'],
    ['JSON with an escape in a name', '{"server": {"port": 1, "p\\u006frt": 2}}'],
    ['YAML', 'server:\n  port: 1\n  port: 2\n'],
  ])('refuses a member that is named twice, in %s', async (_, text) => {
    expect(await faultsOf({ RECAPD_CONFIG: file('recapd.json', text) })).toEqual([
      expect.stringContaining('neither YAML nor JSON: duplicate key at line'),
    ])
  })

  it.each(['', '\n', 'null', '{}'])('%j holds no setting', async (text) => {
    expect((await loadConfig({ RECAPD_CONFIG: file('recapd.json', text) })).candidates).toEqual(['recapd/extractive'])
  })
})

describe('loadConfig without a file', () => {
  it('chooses the embedded model and says why', async () => {
    const config = await loadConfig({})
    expect(config.candidates).toEqual(['recapd/extractive'])
    expect(config.notes.join()).toContain('no provider is configured')
    expect(config.server).toMatchObject({ host: '127.0.0.1', port: 8484, bodyLimitBytes: 67_108_864 })
    expect(Object.isFrozen(config)).toBe(true)
  })

  it('brings the default model of every key, in a fixed order', async () => {
    const config = await loadConfig({ GEMINI_API_KEY: 'g', OPENAI_API_KEY: 'o', ANTHROPIC_API_KEY: 'a' })
    expect(config.candidates).toEqual(['openai/gpt-5-mini', 'anthropic/claude-haiku-4-5', 'gemini/gemini-2.5-flash'])
    expect(config.providers['anthropic']).toMatchObject({ baseUrl: 'https://api.anthropic.com/v1', apiKeys: ['a'] })
  })

  it('takes order, names and windows from RECAPD_MODELS', async () => {
    const config = await loadConfig({
      OPENAI_API_KEY: 'o',
      OPENAI_BASE_URL: 'http://127.0.0.1:1/v1',
      RECAPD_MODELS: 'openai/acme/house-7b@9000, openai/gpt-5-mini, recapd/extractive',
    })
    expect(config.candidates).toEqual(['openai/acme/house-7b', 'openai/gpt-5-mini', 'recapd/extractive'])
    expect(config.providers['openai']).toMatchObject({
      baseUrl: 'http://127.0.0.1:1/v1',
      models: {
        'acme/house-7b': { contextWindow: 9000 },
        'gpt-5-mini': { contextWindow: 400_000, maxOutputTokens: 128_000 },
      },
    })
  })

  it('warns of a window nobody knows and takes 32768', async () => {
    const config = await loadConfig({ OPENAI_API_KEY: 'o', RECAPD_MODELS: 'openai/house-model' })
    expect(config.providers['openai']).toMatchObject({ models: { 'house-model': { contextWindow: 32_768 } } })
    expect(config.warnings).toEqual([expect.stringContaining('openai/house-model: context window unknown')])
  })

  it('refuses a model of RECAPD_MODELS that no key brings', async () => {
    expect(await faultsOf({ OPENAI_API_KEY: 'o', RECAPD_MODELS: 'openai/gpt-5-mini,gemini/gemini-2.5-flash' })).toEqual(
      [expect.stringContaining('candidates.1: gemini/gemini-2.5-flash is not configured')],
    )
  })
})

describe('loadConfig with a file', () => {
  it('reads YAML, with references to the environment and their defaults', async () => {
    const name = file(
      'recapd.yaml',
      [
        'providers:',
        '  alpha:',
        '    baseUrl: ${BASE:-http://127.0.0.1:9/v1}',
        '    apiKeys: ["${ALPHA_KEY}"]',
        '    models:',
        '      small: { contextWindow: 32000 }',
        'redis: { url: "${REDIS_ADDRESS:-}" }',
      ].join('\n'),
    )
    const config = await loadConfig({ RECAPD_CONFIG: name, ALPHA_KEY: 'secret-1' })
    expect(config.providers['alpha']).toMatchObject({ baseUrl: 'http://127.0.0.1:9/v1', apiKeys: ['secret-1'] })
    expect(config.candidates).toEqual(['alpha/small'])
    expect(config.redis.url).toBe('')
  })

  it('names a reference to a variable that is not set', async () => {
    const name = file('recapd.yaml', 'redis: { url: "${NOBODY_SET_THIS}" }')
    expect(await faultsOf({ RECAPD_CONFIG: name })).toEqual([
      expect.stringContaining('redis.url: needs the environment variable NOBODY_SET_THIS'),
    ])
  })

  it('tells every fault at once, with its path and without any value', async () => {
    const faults = await faultsOf(
      configFile({
        server: { drainMs: 'long', bodyLimitBytes: -5, bodyLimit: 3 },
        providers: {
          alpha: { baseUrl: 'not a url', apiKeys: ['sk-private-8d1f'], models: { small: { contextWindow: 'big' } } },
        },
        retry: { maxAttempts: 'many' },
      }),
    )
    const text = faults.join('\n')
    for (const place of [
      'server.drainMs',
      'server.bodyLimitBytes',
      'server.bodyLimit: is not a setting',
      'providers.alpha.baseUrl',
      'providers.alpha.models.small.contextWindow',
      'retry.maxAttempts',
    ]) {
      expect(text).toContain(place)
    }
    expect(text).not.toContain('sk-private-8d1f')
  })

  it('refuses candidates, references and aggregators nobody configured, and mixtures of mixtures', async () => {
    const faults = await faultsOf(
      configFile({
        providers: PROVIDERS,
        moa: {
          inner: { references: ['alpha/small'], aggregator: 'alpha/small' },
          outer: { references: ['moa/inner', 'nobody/tiny'], aggregator: 'ghost/judge', minSuccessful: 3 },
        },
        candidates: ['alpha/small', 'ghost/huge'],
      }),
    )
    const text = faults.join('\n')
    for (const name of [
      'candidates.1: ghost/huge',
      'moa.outer.references.1: nobody/tiny',
      'moa.outer.aggregator: ghost/judge',
      'moa.outer: moa/inner is a mixture itself',
      'moa.outer.minSuccessful',
    ]) {
      expect(text).toContain(name)
    }
  })

  it('lets the environment win over the file, for fixed and for configured names', async () => {
    const config = await loadConfig({
      ...configFile({
        providers: PROVIDERS,
        timeouts: { requestMs: 5 },
        server: { port: 1 },
        hedge: { enabled: false },
      }),
      RECAPD_TIMEOUTS_REQUEST_MS: '90000',
      RECAPD_HEDGE_ENABLED: 'true',
      RECAPD_SERVER_ADMIN_PORT: '9464',
      RECAPD_PROVIDERS_ALPHA_MAX_CONCURRENCY: '7',
      RECAPD_PROVIDERS_ALPHA_MODELS_SMALL_CONTEXT_WINDOW: '12345',
      PORT: '8999',
      LOG_LEVEL: 'debug',
    })
    expect(config.timeouts.requestMs).toBe(90_000)
    expect(config.hedge.enabled).toBe(true)
    expect(config.server).toMatchObject({ adminPort: 9464, port: 8999 })
    expect(config.providers['alpha']).toMatchObject({ maxConcurrency: 7, models: { small: { contextWindow: 12_345 } } })
    expect(config.log.level).toBe('debug')
  })

  it('warns of a variable that sets nothing, but not of those that Kubernetes injects', async () => {
    const config = await loadConfig({
      ...configFile({ providers: PROVIDERS }),
      RECAPD_RETRY_MAX_ATEMPTS: '5',
      RECAPD_PROVIDERS_ALPHA_MAX_CONCURRENCY: '7',
      RECAPD_API_KEYS: '',
      RECAPD_PORT: 'tcp://10.0.0.1:80',
      RECAPD_SERVR_PORT: '8000',
      RECAPD_PORT_80_TCP_ADDR: '10.0.0.1',
      RECAPD_SERVICE_HOST: '10.0.0.1',
    })
    expect(config.warnings.filter((text) => text.includes('RECAPD_'))).toEqual([
      'RECAPD_RETRY_MAX_ATEMPTS is not a setting of this configuration; check its spelling',
      'RECAPD_SERVR_PORT is not a setting of this configuration; check its spelling',
    ])
  })

  it('takes a remote endpoint as a candidate by its own name', async () => {
    const config = await loadConfig(
      configFile({ providers: { other: { type: 'remote', url: 'http://127.0.0.1:9/summarize' } } }),
    )
    expect(config.candidates).toEqual(['other'])
  })

  it('says what is wrong with the file itself', async () => {
    expect(await faultsOf({ RECAPD_CONFIG: path.join(folder, 'absent.yaml') })).toEqual([
      expect.stringContaining('cannot be read'),
    ])
    expect(await faultsOf({ RECAPD_CONFIG: file('broken.yaml', 'a: [1') })).toEqual([
      expect.stringContaining('neither YAML nor JSON'),
    ])
    expect(await faultsOf({ RECAPD_CONFIG: file('list.yaml', '- 1') })).toEqual([expect.stringContaining('mapping')])
  })
})

describe('loadConfig and keys', () => {
  it('reads named and nameless keys, and keeps only their hashes', async () => {
    const config = await loadConfig({ RECAPD_API_KEYS: 'ci:rk_one\nrk_two,' })
    expect(config.auth.keys.map(({ name }) => name)).toEqual(['ci', 'key-2'])
    expect(config.auth.keys[0]?.sha256).toMatch(/^[0-9a-f]{64}$/)
    expect(JSON.stringify(config.auth)).not.toContain('rk_one')
  })

  it('reads a secret from the file that X_FILE names, without its last newline', async () => {
    const config = await loadConfig({ OPENAI_API_KEY_FILE: file('key', 'sk-from-file\n') })
    expect(config.providers['openai']).toMatchObject({ apiKeys: ['sk-from-file'] })
  })

  it('refuses X beside X_FILE, and a file that is not there', async () => {
    expect(await faultsOf({ OPENAI_API_KEY: 'a', OPENAI_API_KEY_FILE: file('key', 'b') })).toEqual([
      expect.stringContaining('OPENAI_API_KEY: is set together with'),
    ])
    expect(await faultsOf({ RECAPD_API_KEYS_FILE: path.join(folder, 'absent') })).toEqual([
      expect.stringContaining('RECAPD_API_KEYS_FILE: names a file that cannot be read'),
    ])
  })

  it('refuses an open host without keys unless that is said aloud', async () => {
    expect(await faultsOf({ HOST: '0.0.0.0' })).toEqual([
      expect.stringContaining('server.host: 0.0.0.0 can be reached'),
    ])
    expect((await loadConfig({ HOST: '0.0.0.0', RECAPD_API_KEYS: 'k' })).openOnPurpose).toBe(false)
    expect((await loadConfig({ HOST: '0.0.0.0', RECAPD_AUTH: 'none' })).openOnPurpose).toBe(true)
    expect(await faultsOf({ RECAPD_API_KEYS: 'k', RECAPD_AUTH: 'none' })).toEqual([
      expect.stringContaining('RECAPD_AUTH: says none'),
    ])
    for (const HOST of ['127.0.0.1', '127.8.9.1', '::1', 'localhost'])
      expect((await loadConfig({ HOST })).server.host).toBe(HOST)
  })
})
