import { configWarnings } from '../config/config-warnings.ts'
import type { Config } from '../config/load-config.ts'
import { loadHooks } from '../hooks/load-hooks.ts'
import { silentPipelineObserver } from '../hooks/pipeline-observer.ts'
import { MIXTURE_PREFIX } from '../models/candidate-ids.ts'
import { loadPrompts, PROMPTS_FOLDER } from '../prompts/load-prompts.ts'

/**
 * The resolved chain as `check-config` prints it; names and numbers, never a key. Loads prompts and hooks as a start would,
 * and throws what a start would throw.
 */
export async function checkConfig(config: Config): Promise<string> {
  loadPrompts(PROMPTS_FOLDER, config.prompts)
  await loadHooks(config.hooks, silentPipelineObserver)
  const lines = [
    'The configuration is valid.',
    `listens on   ${config.server.host}:${config.server.port}${config.server.adminPort === null ? '' : `, metrics on ${config.server.adminPort}`}`,
    `keys         ${config.auth.keys.map(({ name }) => name).join(', ') || (config.openOnPurpose ? 'none, on purpose' : 'none (loopback only)')}`,
    'candidates, in order:',
    ...config.candidates.map((id, index) => `  ${index + 1}. ${id}${describe(config, id)}`),
    `redis        ${config.redis.url === '' ? 'none' : 'configured'}`,
    `hooks        ${config.hooks ?? 'none'}`,
    ...config.notes.map((note) => `note: ${note}`),
    ...[...config.warnings, ...configWarnings(config)].map((warning) => `warning: ${warning}`),
  ]
  return lines.join('\n')
}

function describe(config: Config, id: string): string {
  const mixture = id.startsWith(MIXTURE_PREFIX) ? config.moa[id.slice(MIXTURE_PREFIX.length)] : undefined
  if (mixture !== undefined) return `  (${mixture.references.join(' + ')} → ${mixture.aggregator})`
  const slash = id.indexOf('/')
  const provider = config.providers[slash < 0 ? id : id.slice(0, slash)]
  if (provider === undefined) return '  (embedded, no language model)'
  const keys = `${provider.apiKeys?.length ?? 0} key${provider.apiKeys?.length === 1 ? '' : 's'}`
  if (provider.type === 'remote') return `  (${provider.contextWindow} tokens, ${keys}, remote)`
  return `  (${provider.models[id.slice(slash + 1)]?.contextWindow} tokens, ${keys})`
}
