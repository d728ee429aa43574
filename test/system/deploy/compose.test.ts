import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { loadConfig } from '../../../src/config/load-config.ts'
import { redisFaults } from './redis-policy.ts'
import { inRepository, readText, readYaml, run, tool } from './repository-files.ts'

interface Service {
  readonly image: string
  readonly command?: readonly string[]
  readonly user?: string
  readonly ports?: readonly string[]
  readonly networks: readonly string[]
  readonly volumes?: readonly string[]
  readonly environment?: Readonly<Record<string, string | null>>
  readonly secrets?: readonly string[]
  readonly read_only?: boolean
  readonly cap_drop?: readonly string[]
  readonly security_opt?: readonly string[]
  readonly mem_limit?: string
  readonly stop_grace_period?: string
}
interface Compose {
  readonly services: Readonly<Record<'recapd' | 'redis' | 'prometheus' | 'grafana', Service>>
  readonly networks: Readonly<Record<string, { readonly internal?: boolean }>>
  readonly secrets: Readonly<Record<string, { readonly file: string }>>
}

const compose = readYaml<Compose>('docker-compose.yml')
const services = Object.entries(compose.services)
const { recapd, redis, prometheus } = compose.services
const hasPlugin = run('docker', ['compose', 'version']).status === 0
const standalone = hasPlugin ? { missing: true, note: '' } : tool('docker-compose')
const folder = mkdtempSync(path.join(tmpdir(), 'recapd-compose-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** The environment a first run gives the service, with the secret at a place this test can write. */
function environmentOf(service: Service): Record<string, string> {
  const keys = path.join(folder, 'api-keys')
  writeFileSync(keys, 'local:0123456789abcdef0123456789abcdef\n')
  const set = Object.entries(service.environment ?? {}).filter((row): row is [string, string] => row[1] !== null)
  return {
    HOST: '0.0.0.0',
    ...Object.fromEntries(set.map(([name, value]) => [name, value.replace(/\$\{\w+:-([^}]*)\}/, '$1')])),
    RECAPD_API_KEYS_FILE: keys,
    RECAPD_JOBS_SECRET_FILE: keys,
  }
}

describe('docker-compose.yml', () => {
  it('compose runs the service with its Redis, Prometheus and Grafana', () => {
    expect(Object.keys(compose.services)).toEqual(['recapd', 'redis', 'prometheus', 'grafana'])
  })

  it.each(services)('%s runs hardened: no root, no capability, read-only, pinned, bounded', (_, service) => {
    expect(Number.parseInt(service.user ?? '0', 10)).toBeGreaterThan(0)
    expect(service.cap_drop).toEqual(['ALL'])
    expect(service.security_opt).toContain('no-new-privileges:true')
    expect(service.read_only).toBe(true)
    expect(service.image).toMatch(/:(?!latest)[\w.-]+$/)
    expect(service.mem_limit).toMatch(/^\d+[mg]$/)
  })

  it.each(services)('%s publishes nothing beyond loopback', (_, service) => {
    expect((service.ports ?? []).filter((port) => !port.startsWith('127.0.0.1:'))).toEqual([])
  })

  it('Redis and Prometheus live on an internal network alone', () => {
    expect(compose.networks['back']?.internal).toBe(true)
    expect([redis.networks, prometheus.networks]).toEqual([['back'], ['back']])
  })

  it.each(services)('%s mounts only files that are in the repository', (_, service) => {
    const sources = (service.volumes ?? []).map((volume) => volume.split(':')[0] ?? '')
    const files = sources.filter((source) => source.startsWith('.'))
    expect(files.filter((file) => !existsSync(inRepository(file)))).toEqual([])
  })

  it.each(services)('%s has no secret written into its environment', (_, service) => {
    const secret = Object.entries(service.environment ?? {}).filter(([name]) => /KEY|TOKEN|SECRET|PASSWORD/.test(name))
    expect(secret.filter(([name, value]) => value !== null && !name.endsWith('_FILE'))).toEqual([])
  })

  it('recapd demands API keys, from a secret that git and the image never see', () => {
    const [secret = ''] = recapd.secrets ?? []
    const file = compose.secrets[secret]?.file ?? ''
    expect(recapd.environment?.['RECAPD_API_KEYS_FILE']).toBe(`/run/secrets/${secret}`)
    expect(recapd.environment).not.toHaveProperty('RECAPD_AUTH')
    expect(run('git', ['check-ignore', '-q', file]).status).toBe(0)
    expect(readText('docker-compose.yml').slice(0, 600)).toContain(file.replace('./', ''))
  })

  it('jobs outlive a restart of each of the two: with a secret of their own, in a Redis that keeps them on a disk', async () => {
    const file = compose.secrets['recapd_jobs_secret']?.file ?? ''
    expect(recapd.environment?.['RECAPD_JOBS_SECRET_FILE']).toBe('/run/secrets/recapd_jobs_secret')
    expect(recapd.secrets).toContain('recapd_jobs_secret')
    expect(run('git', ['check-ignore', '-q', file]).status).toBe(0)
    expect(readText('docker-compose.yml').slice(0, 600)).toContain(file.replace('./', ''))
    expect((await loadConfig(environmentOf(recapd))).jobs?.secret).toBeDefined()
    expect(redisFaults(redis.command ?? [])).toEqual([])
    expect(redis.volumes).toEqual(['redis-data:/data'])
  })

  it('recapd has the time to drain before it is killed, and shares out its memory by itself', async () => {
    const config = await loadConfig(environmentOf(recapd))
    const graceMs = Number.parseInt(recapd.stop_grace_period ?? '0', 10) * 1_000
    expect(recapd.stop_grace_period).toMatch(/^\d+s$/)
    expect(graceMs).toBeGreaterThan(config.server.drainDelayMs + config.server.drainMs)
    expect(recapd.mem_limit).toBe('1g')
    expect(recapd.environment).not.toHaveProperty('NODE_OPTIONS')
  })

  it('recapd accepts the environment it gets, and Prometheus scrapes the admin port it opens', async () => {
    const config = await loadConfig(environmentOf(recapd))
    const { scrape_configs } = readYaml<{ scrape_configs: { static_configs: { targets: string[] }[] }[] }>(
      'deploy/prometheus/prometheus.yml',
    )
    expect(config.candidates).toEqual(['recapd/extractive'])
    expect(config.auth.keys).toHaveLength(1)
    expect(config.openOnPurpose).toBe(false)
    expect(config.redis.url).toBe('redis://redis:6379')
    expect(scrape_configs[0]?.static_configs[0]?.targets).toEqual([`recapd:${config.server.adminPort}`])
  })

  it.skipIf(!hasPlugin && standalone.missing)(`compose itself accepts the file${standalone.note}`, () => {
    const [command, ...args] = hasPlugin ? ['docker', 'compose'] : ['docker-compose']
    expect(run(command, [...args, 'config', '--quiet'])).toEqual({ status: 0, output: '' })
  })
})
