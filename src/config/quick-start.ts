import type { Environment } from './environment.ts'
import { type OllamaFacts, ollamaFacts } from './ollama.ts'

/** A provider made from environment variables alone, in the shape of the configuration file. */
interface Quick {
  readonly name: string
  readonly baseUrl: string
  readonly keyVariable?: string
  readonly defaultModel?: string
}

/** Endpoints that speak OpenAI chat, and the model each key brings by default (docs/spec/models.md §1). */
const QUICK: readonly Quick[] = [
  { name: 'openai', baseUrl: 'https://api.openai.com/v1', keyVariable: 'OPENAI_API_KEY', defaultModel: 'gpt-5-mini' },
  {
    name: 'anthropic',
    baseUrl: 'https://api.anthropic.com/v1',
    keyVariable: 'ANTHROPIC_API_KEY',
    defaultModel: 'claude-haiku-4-5',
  },
  {
    name: 'gemini',
    baseUrl: 'https://generativelanguage.googleapis.com/v1beta/openai',
    keyVariable: 'GEMINI_API_KEY',
    defaultModel: 'gemini-2.5-flash',
  },
]

export interface QuickStart {
  readonly providers: Record<string, unknown>
  readonly candidates: readonly string[] | undefined
  /** Sentences for the start-up line. */
  readonly notes: readonly string[]
}

interface Asked {
  readonly provider: string
  readonly model: string
  readonly window: number | undefined
}

/** `openai/gpt-5-mini,ollama/qwen3@32768`; an entry without a slash (a moa or a remote provider) names itself. */
function parseModelList(text: string): Asked[] {
  return text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
    .map((entry) => {
      const at = /^(.+)@(\d+)$/.exec(entry)
      const id = at?.[1] ?? entry
      const slash = id.indexOf('/')
      return {
        provider: slash < 0 ? id : id.slice(0, slash),
        model: slash < 0 ? '' : id.slice(slash + 1),
        window: at?.[2] === undefined ? undefined : Number(at[2]),
      }
    })
}

const candidateId = (asked: Asked) => (asked.model === '' ? asked.provider : `${asked.provider}/${asked.model}`)

/**
 * Providers and candidates from the environment. Used where the file configures no provider; `RECAPD_MODELS` orders the
 * candidates in either case.
 */
export async function quickStart(environment: Environment, fileHasProviders: boolean): Promise<QuickStart> {
  const listed = environment.get('RECAPD_MODELS')
  const asked = listed === undefined ? undefined : parseModelList(listed)
  const candidates = asked?.map(candidateId)
  if (fileHasProviders) return { providers: {}, candidates, notes: [] }

  const providers: Record<string, { baseUrl: string; apiKeys?: string[]; models: Record<string, unknown> }> = {}
  const notes: string[] = []
  const order: string[] = []
  for (const quick of QUICK) {
    const key = quick.keyVariable === undefined ? undefined : environment.get(quick.keyVariable)
    if (key === undefined || key === '') continue
    const wanted = asked?.filter(({ provider }) => provider === quick.name) ?? [
      { provider: quick.name, model: quick.defaultModel ?? '', window: undefined },
    ]
    if (wanted.length === 0) continue
    const baseUrl = (quick.name === 'openai' ? environment.get('OPENAI_BASE_URL') : undefined) ?? quick.baseUrl
    const models = Object.fromEntries(wanted.map(({ model, window }) => [model, { contextWindow: window }]))
    providers[quick.name] = { baseUrl, apiKeys: [key], models }
    order.push(...wanted.map(candidateId))
    notes.push(`${quick.name} because ${quick.keyVariable} is set`)
  }
  const host = environment.get('OLLAMA_HOST')
  if (host !== undefined && host !== '') {
    const wanted = asked?.filter(({ provider }) => provider === 'ollama')
    const facts = await ollamaFacts(
      host,
      wanted?.map(({ model, window }) => ({ model, window })),
    )
    addOllama(facts, environment, { providers, order, notes })
  }
  return { providers, candidates: candidates ?? (order.length > 0 ? order : undefined), notes }
}

function addOllama(
  facts: OllamaFacts,
  environment: Environment,
  {
    providers,
    order,
    notes,
  }: {
    readonly providers: Record<string, { baseUrl: string; models: Record<string, unknown> }>
    readonly order: string[]
    readonly notes: string[]
  },
): void {
  if (facts.models.length === 0) {
    if (facts.fault !== undefined) environment.faults.push({ path: 'OLLAMA_HOST', message: facts.fault })
    return
  }
  providers['ollama'] = {
    baseUrl: facts.baseUrl,
    models: Object.fromEntries(facts.models.map(({ model, contextWindow }) => [model, { contextWindow }])),
  }
  order.push(...facts.models.map(({ model }) => `ollama/${model}`))
  notes.push('ollama because OLLAMA_HOST is set', ...facts.notes)
}
