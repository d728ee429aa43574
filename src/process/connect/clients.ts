import { readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import path from 'node:path'
import { fileSetting } from './file-setting.ts'
import { jsonSetting } from './json-setting.ts'
import type { Setting } from './setting.ts'
import { tomlSetting } from './toml-setting.ts'
import { yamlSetting } from './yaml-setting.ts'

/** A client whose configuration is a file. */
export interface Client {
  readonly file: () => string
  /** `url` is recapd's address, with `/k/<key>` after it where it asks for keys. */
  readonly setting: (url: string) => Setting
  /** What recapd must be configured with for it; absent: nothing. */
  readonly needs?: string | undefined
}

const home = (variable: string, fallback: string): string => process.env[variable] || path.join(homedir(), fallback)

const PI_EXTENSION = new URL('../../../integrations/pi/index.ts', import.meta.url)
/** Where a service listens that nobody has configured otherwise. */
export const DEFAULT_URL = 'http://127.0.0.1:8484'

/** THE table of clients that `recapd connect` knows (docs/spec/faces.md §4). */
export const CLIENTS: Readonly<Record<string, Client>> = {
  'claude-code': {
    file: () => path.join(home('CLAUDE_CONFIG_DIR', '.claude'), 'settings.json'),
    setting: (url) => jsonSetting({ 'env.ANTHROPIC_BASE_URL': `${url}/proxy/anthropic` }),
    needs: 'proxy: { anthropic: { url: "https://api.anthropic.com", speaks: anthropic } }',
  },
  codex: {
    file: () => path.join(home('CODEX_HOME', '.codex'), 'config.toml'),
    // The name decides: Codex asks a provider called "OpenAI" for a compaction item, any other for a text.
    setting: (url) =>
      tomlSetting({
        key: 'model_provider',
        value: 'recapd',
        block: [
          '[model_providers.recapd]',
          'name = "OpenAI"',
          `base_url = ${JSON.stringify(`${url}/proxy/openai/v1`)}`,
          'wire_api = "responses"',
          'env_key = "OPENAI_API_KEY"',
        ].join('\n'),
      }),
    needs: 'proxy: { openai: { url: "https://api.openai.com", speaks: openai } }',
  },
  opencode: {
    file: () => path.join(home('XDG_CONFIG_HOME', '.config'), 'opencode/opencode.json'),
    setting: (url) =>
      jsonSetting({
        'provider.recapd': {
          npm: '@ai-sdk/openai-compatible',
          name: 'recapd',
          options: { baseURL: `${url}/v1`, apiKey: 'none' },
          models: { auto: { name: 'recapd', limit: { context: 128_000, output: 8_000 } } },
        },
        'agent.compaction.model': 'recapd/auto',
      }),
  },
  omp: {
    file: () => path.join(homedir(), '.omp/agent/config.yml'),
    setting: (url) => yamlSetting(['compaction', 'remoteEndpoint'], `${url}/summarize`),
  },
  pi: {
    file: () => path.join(home('PI_CODING_AGENT_DIR', '.pi/agent'), 'extensions/recapd.ts'),
    setting: (url) => fileSetting(readFileSync(PI_EXTENSION, 'utf8').replace(DEFAULT_URL, url)),
  },
}
