import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { z } from 'zod'
import { defined } from '../domain/defined.ts'
import type { Fault } from '../domain/errors.ts'
import { isRecord } from '../domain/is-record.ts'
import { setAt } from '../domain/set-at.ts'
import { isLoopback } from '../http/loopback.ts'
import type { ModelsOptions } from '../models/options.ts'
import { checkCandidates, unknownReferences } from './candidate-list.ts'
import { ConfigError } from './config-error.ts'
import { type Environment, readEnvironment } from './environment.ts'
import { secretFaults } from './job-secrets.ts'
import { keyLines } from './key-lines.ts'
import { resolveProviders } from './providers.ts'
import { quickStart } from './quick-start.ts'
import { readConfigFile } from './read-config-file.ts'
import { redisFaults, withFilesIn } from './redis-faults.ts'
import { scalarsOf, scalarValue } from './scalars.ts'
import { type ConfigFile, configSchema } from './schema.ts'
import { secretsOf } from './secrets.ts'

/** The one configuration value: parsed once, frozen, handed down as an argument (docs/spec/models.md §1). */
export interface Config extends Omit<ConfigFile, 'candidates' | keyof ModelsOptions>, ModelsOptions {
  /** True: `RECAPD_AUTH=none`, no keys and an open host were chosen on purpose. */
  readonly openOnPurpose: boolean
  /** What was chosen and why, for the start-up line. */
  readonly notes: readonly string[]
  readonly warnings: readonly string[]
  /** The log level as the file has it, which a variable may overrule at the start. */
  readonly levelInFile: string | undefined
  /** The operator's secrets: everything printed passes a masker that knows them. */
  readonly secrets: readonly string[]
  /** Files that secrets were read from: a change of one is a change of the configuration. */
  readonly secretFiles: readonly string[]
}

const WELL_KNOWN = {
  PORT: ['server', 'port'],
  HOST: ['server', 'host'],
  LOG_LEVEL: ['log', 'level'],
  REDIS_URL: ['redis', 'url'],
} as const

/** Reads file and environment; throws ConfigError with every fault there is. */
export async function loadConfig(variables: Readonly<Record<string, string | undefined>>): Promise<Config> {
  const environment = readEnvironment(variables, (file) => readFileSync(file, 'utf8'))
  const file = await readConfigFile(environment)
  const quick = await quickStart(environment, hasProviders(file.value))
  const raw = withEnvironment(withQuickStart(file.value, quick), environment)
  const openOnPurpose = environment.get('RECAPD_AUTH') === 'none'
  const environmentKeys = keysOfEnvironment(environment)
  const parsed = configSchema.safeParse(raw)
  const unknown = unknownReferences(raw)
  if (!parsed.success) throw new ConfigError([...environment.faults, ...parsed.error.issues.map(faultOf), ...unknown])

  const inFolder = (name: string) => path.resolve(file.folder, name)
  const redis = withFilesIn(parsed.data.redis, inFolder)
  const resolved = resolveProviders(parsed.data.providers, (name) => readFileSync(inFolder(name), 'utf8'))
  const { candidates, notes, faults: candidateFaults } = checkCandidates(parsed.data)
  const keys = [...parsed.data.auth.keys, ...environmentKeys]
  const hostFaults = openHostFaults(parsed.data.server.host, keys.length, openOnPurpose)
  const faults = [
    ...environment.faults,
    ...resolved.faults,
    ...unknown,
    ...candidateFaults,
    ...hostFaults,
    ...secretFaults(parsed.data),
    ...redisFaults(redis),
    ...adminPortFaults(parsed.data.server),
  ]
  if (faults.length > 0) throw new ConfigError(faults)
  const { hooks, prompts } = parsed.data
  const keyFiles = Object.values(resolved.providers).flatMap(({ apiKeysFile }) => apiKeysFile ?? [])
  return Object.freeze({
    ...parsed.data,
    redis,
    hooks: hooks === undefined ? undefined : inFolder(hooks),
    prompts: prompts === undefined ? undefined : inFolder(prompts),
    providers: resolved.providers,
    candidates,
    auth: { keys },
    levelInFile: levelIn(file.value),
    secrets: secretsOf({ ...parsed.data, providers: resolved.providers }, environment.get('RECAPD_API_KEYS') ?? ''),
    secretFiles: [...new Set([...environment.secretFiles(), ...keyFiles.map(inFolder)])],
    openOnPurpose,
    notes: [...quick.notes, ...notes],
    warnings: [...resolved.warnings, ...environment.unread().map(unreadWarning)],
  })
}

function levelIn({ log }: Record<string, unknown>): string | undefined {
  const level = isRecord(log) ? log['level'] : undefined
  return typeof level === 'string' ? level : undefined
}

const unreadWarning = (name: string): string => `${name} is not a setting of this configuration; check its spelling`

const hasProviders = ({ providers }: Record<string, unknown>) =>
  isRecord(providers) && Object.keys(providers).length > 0

function withQuickStart(
  value: Record<string, unknown>,
  quick: Awaited<ReturnType<typeof quickStart>>,
): Record<string, unknown> {
  const providers = Object.keys(quick.providers).length > 0 ? quick.providers : value['providers']
  return defined({ ...value, providers, candidates: quick.candidates ?? value['candidates'] })
}

/** Environment wins over file, for every scalar (docs/spec/models.md §1). */
function withEnvironment(value: Record<string, unknown>, environment: Environment): Record<string, unknown> {
  const result = structuredClone(value)
  const scalars = scalarsOf(configSchema, result)
  for (const [variable, target] of Object.entries(WELL_KNOWN)) {
    const text = environment.get(variable)
    const scalar = scalars.find((row) => row.path.join('.') === target.join('.'))
    if (text !== undefined && text !== '' && scalar !== undefined) setAt(result, target, scalarValue(scalar, text))
  }
  for (const scalar of scalars) {
    const text = environment.get(scalar.variable)
    if (text !== undefined) setAt(result, scalar.path, scalarValue(scalar, text))
  }
  return result
}

/** Says where and what was expected; zod never puts the value itself into these messages. */
function faultOf(issue: z.core.$ZodIssue): Fault {
  const where = issue.path.map(String).join('.')
  const variable = where === '' ? '' : ` (${where})`
  if (issue.code === 'unrecognized_keys') {
    return {
      path: [where, issue.keys.join(', ')].filter((part) => part !== '').join('.'),
      message: 'is not a setting; check its spelling',
    }
  }
  const isDuration = issue.code === 'invalid_type' && issue.expected !== 'string' && where.endsWith('Ms')
  const message = isDuration ? 'expected milliseconds as a whole number, such as 170000' : issue.message
  return { path: where === '' ? 'configuration' : where, message: message.replace(variable, '') }
}

/** `RECAPD_API_KEYS`: comma or newline separated, `name:key` or `key` (docs/spec/models.md §10). */
function keysOfEnvironment(environment: Environment): Config['auth']['keys'] {
  return keyLines(environment.get('RECAPD_API_KEYS') ?? '').map((entry, index) => {
    const named = /^([A-Za-z0-9._-]{1,64}):(.+)$/.exec(entry)
    const key = named?.[2] ?? entry
    return {
      name: named?.[1] ?? `key-${index + 1}`,
      sha256: createHash('sha256').update(key).digest('hex'),
      models: ['*'],
      endpoints: ['*'],
      weight: 1,
      admin: false,
    }
  })
}

function adminPortFaults({ port, adminPort }: ConfigFile['server']): Fault[] {
  if (adminPort === null || adminPort !== port || port === 0) return []
  return [{ path: 'server.adminPort', message: `is the port itself (${port}); give the metrics another one` }]
}

function openHostFaults(host: string, keys: number, openOnPurpose: boolean): Fault[] {
  if (openOnPurpose && keys > 0) {
    return [{ path: 'RECAPD_AUTH', message: 'says none, and keys are configured; drop one of the two' }]
  }
  if (isLoopback(host) || keys > 0 || openOnPurpose) return []
  return [
    {
      path: 'server.host',
      message: `${host} can be reached from other machines and no key is configured; set RECAPD_API_KEYS, or RECAPD_AUTH=none to open it on purpose`,
    },
  ]
}
