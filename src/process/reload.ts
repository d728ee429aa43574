import { unwatchFile, watchFile } from 'node:fs'
import path from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { Logger } from 'pino'
import { ConfigError } from '../config/config-error.ts'
import type { Config } from '../config/load-config.ts'
import { type ConfigFile, configSchema } from '../config/schema.ts'
import type { Fault } from '../domain/errors.ts'

export interface Reloading {
  readonly config: Config
  readonly log: Logger
  readonly load: () => Promise<Config>
  /** Puts the new one in force; what is running continues. */
  readonly apply: (config: Config) => void
}

const LOOK_EVERY_MS = 1_000
/** A file that is being written is read once it is complete. */
const SETTLE_MS = 200

/** Sections that a reload puts in force: the keys, the models (build-models.ts) and the log level. All others are read at the start. */
const RELOADED: ReadonlySet<string> = new Set<keyof ConfigFile>([
  'auth',
  'providers',
  'moa',
  'candidates',
  'timeouts',
  'retry',
  'breaker',
  'hedge',
  'cache',
  'fold',
  'log',
])

/** What the process was built with: whole sections, and the members of reloaded ones that others than the models read. */
function atStart(config: Config): Readonly<Record<string, unknown>> {
  const { timeouts, cache } = config
  const sections = Object.entries(config).filter(([name]) => name in configSchema.shape && !RELOADED.has(name))
  return {
    ...Object.fromEntries(sections),
    'timeouts.requestMs': timeouts.requestMs,
    'timeouts.orphanAfterMs': timeouts.orphanAfterMs,
    'cache.maxBytes': cache.maxBytes,
  }
}

/**
 * SIGHUP, or a change of a file with secrets: the configuration is read again and keys, budgets, providers, prices, candidates
 * and the log level are put in force. A bad one is refused with an error in the log, and the old one stays (docs/spec/production.md §7).
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
        tell(log, { why, first: reloading.config, next })
        current = next
        watched.follow(current.secretFiles)
      } catch (error) {
        const faults =
          error instanceof ConfigError ? error.faults : [{ path: 'configuration', message: 'cannot be read' }]
        const said = faults.map(({ path: where, message }) => `${where}: ${message}`).join('; ')
        log.error({ why, faults }, `the new configuration is refused and the old one stays: ${said}`)
      }
    })
  }
  const watched = watchFiles((name) => reload(`${name} changed`))
  const hangUp = () => reload('SIGHUP')
  process.on('SIGHUP', hangUp)
  watched.follow(current.secretFiles)
  return () => {
    watched.follow([])
    process.off('SIGHUP', hangUp)
  }
}

/** Reports the name of a file that was changed, once it is quiet. */
function watchFiles(onChange: (name: string) => void) {
  let files: ReadonlySet<string> = new Set()
  let timer: NodeJS.Timeout | undefined
  const look = (file: string) => () => {
    clearTimeout(timer)
    timer = setTimeout(() => onChange(path.basename(file)), SETTLE_MS)
  }
  return {
    /** These files from now on, and no others. */
    follow(names: readonly string[]): void {
      const next = new Set(names)
      if (next.size === 0) clearTimeout(timer)
      for (const file of files) if (!next.has(file)) unwatchFile(file)
      for (const file of next) {
        // By polling: a mounted secret is a link that is switched, which no file watcher reports.
        if (!files.has(file)) watchFile(file, { interval: LOOK_EVERY_MS, persistent: false }, look(file))
      }
      files = next
    },
  }
}

/** A file that is empty while it is being replaced must not open the service to everybody. */
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
  { why, first, next }: { readonly why: string; readonly first: Config; readonly next: Config },
): void {
  log.info(
    { why, candidates: next.candidates, keys: next.auth.keys.map(({ name }) => name) },
    'the configuration was reloaded',
  )
  const [before, after] = [atStart(first), atStart(next)]
  const names = Object.keys({ ...before, ...after })
  const waiting = names.filter((name) => !isDeepStrictEqual(before[name], after[name]))
  if (waiting.length > 0)
    log.warn({ settings: waiting }, `changed, but in force only after a restart: ${waiting.join(', ')}`)
  for (const warning of next.warnings) log.warn(warning)
}
