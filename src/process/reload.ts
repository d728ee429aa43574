import { unwatchFile, watchFile } from 'node:fs'
import path from 'node:path'
import type { Logger } from 'pino'
import { ConfigError } from '../config/config-error.ts'
import type { Config } from '../config/load-config.ts'
import type { Fault } from '../domain/errors.ts'

export interface Reloading {
  readonly config: Config
  readonly log: Logger
  readonly load: () => Promise<Config>
  /** Puts the new one in force; what runs goes on. */
  readonly apply: (config: Config) => void
}

const LOOK_EVERY_MS = 1_000
/** A file that is being written is read once it is. */
const SETTLE_MS = 200

/** Sections that are read once, at the start. */
const NEEDS_RESTART = [
  'server',
  'rateLimit',
  'redis',
  'memory',
  'workers',
  'jobs',
  'compaction',
  'branchSummary',
  'audit',
  'hooks',
  'prompts',
] as const

/**
 * SIGHUP, or a change of a file with secrets: the configuration is read again and keys, budgets, providers, prices, candidates
 * and the log level are put in force. A bad one is refused aloud, and the old one stays (docs/spec/production.md §7).
 */
export function reloadOnChange(reloading: Reloading): () => void {
  const { log } = reloading
  let current = reloading.config
  let running = Promise.resolve()
  const reload = (why: string) => {
    running = running.then(async () => {
      try {
        const next = await reloading.load()
        const faults = vanishedKeys(current, next)
        if (faults.length > 0) throw new ConfigError(faults)
        reloading.apply(next)
        tell(log, { why, old: current, next })
        current = next
      } catch (error) {
        const faults =
          error instanceof ConfigError ? error.faults : [{ path: 'configuration', message: 'cannot be read' }]
        const said = faults.map(({ path: where, message }) => `${where}: ${message}`).join('; ')
        log.error({ why, faults }, `the new configuration is refused and the old one stays: ${said}`)
      }
    })
  }
  process.on('SIGHUP', () => reload('SIGHUP'))
  const files = secretFiles(current, process.env)
  let timer: NodeJS.Timeout | undefined
  for (const file of files) {
    // By looking at it: a mounted secret is a link that is turned, which no watcher of files tells.
    watchFile(file, { interval: LOOK_EVERY_MS, persistent: false }, () => {
      clearTimeout(timer)
      timer = setTimeout(() => reload(`${path.basename(file)} changed`), SETTLE_MS)
    })
  }
  return () => {
    clearTimeout(timer)
    for (const file of files) unwatchFile(file)
  }
}

/** A file that is emptied while it is replaced must open nothing to nobody. */
function vanishedKeys(old: Config, next: Config): readonly Fault[] {
  const auth = old.auth.keys.length > 0 && next.auth.keys.length === 0
  return [
    ...(auth ? [{ path: 'auth.keys', message: 'has no key any more, and would open the service to everybody' }] : []),
    ...Object.entries(next.providers).flatMap(([name, { apiKeys }]) =>
      (old.providers[name]?.apiKeys ?? []).length > 0 && (apiKeys ?? []).length === 0
        ? [{ path: `providers.${name}.apiKeys`, message: 'has no key any more' }]
        : [],
    ),
  ]
}

function tell(
  log: Logger,
  { why, old, next }: { readonly why: string; readonly old: Config; readonly next: Config },
): void {
  log.info(
    { why, candidates: next.candidates, keys: next.auth.keys.map(({ name }) => name) },
    'the configuration was reloaded',
  )
  const waiting: string[] = NEEDS_RESTART.filter((name) => JSON.stringify(old[name]) !== JSON.stringify(next[name]))
  if (old.timeouts.requestMs !== next.timeouts.requestMs) waiting.push('timeouts.requestMs')
  if (waiting.length > 0)
    log.warn({ settings: waiting }, `changed, but in force only after a restart: ${waiting.join(', ')}`)
  for (const warning of next.warnings) log.warn(warning)
}

/** Files named by `X_FILE` variables and by `apiKeysFile`. */
function secretFiles({ providers }: Config, variables: NodeJS.ProcessEnv): readonly string[] {
  const folder = path.dirname(path.resolve(variables['RECAPD_CONFIG'] ?? 'recapd.yaml'))
  const named = Object.entries(variables).flatMap(([name, file]) =>
    /^(RECAPD|OPENAI|ANTHROPIC|GEMINI|REDIS)_\w*_FILE$/.test(name) && file !== undefined && file !== '' ? [file] : [],
  )
  const ofProviders = Object.values(providers).flatMap(({ apiKeysFile }) =>
    apiKeysFile === undefined ? [] : [path.resolve(folder, apiKeysFile)],
  )
  return [...new Set([...named, ...ofProviders])]
}
