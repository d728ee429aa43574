import { isRecord } from '../domain/is-record.ts'

/** Ollama cuts a prompt over its context silently, so its window must be asked for, never assumed (docs/spec/models.md §1). */
const SILENT_DEFAULT_WINDOW_TOKENS = 4_096
const ASK_TIMEOUT_MS = 2_000

export interface OllamaFacts {
  /** OpenAI-compatible address of the host. */
  readonly baseUrl: string
  readonly models: readonly { readonly model: string; readonly contextWindow: number }[]
  readonly notes: readonly string[]
  /** Why there is no model. */
  readonly fault?: string
}

interface Wanted {
  readonly model: string
  readonly window: number | undefined
}

/** Models of an Ollama host: the wanted ones, else its first that makes no embeddings, each with its window in tokens. */
export async function ollamaFacts(host: string, wanted: readonly Wanted[] | undefined): Promise<OllamaFacts> {
  const origin = originOf(host)
  const baseUrl = `${origin}/v1`
  if (wanted !== undefined && wanted.length === 0) return { baseUrl, models: [], notes: [] }
  let names = wanted
  if (names === undefined) {
    const first = await firstModel(origin)
    if (first === undefined) {
      const fault =
        'names a host without a usable model; start Ollama, pull a model, or name one in RECAPD_MODELS=ollama/<model>'
      return { baseUrl, models: [], notes: [], fault }
    }
    names = [{ model: first, window: undefined }]
  }
  const notes: string[] = []
  const models = await Promise.all(
    names.map(async ({ model, window }) => {
      if (window !== undefined) return { model, contextWindow: window }
      const shown = await shownWindow(origin, model)
      if (shown === undefined)
        notes.push(
          `ollama/${model}: window unknown, taken as ${SILENT_DEFAULT_WINDOW_TOKENS}; set it with ollama/${model}@<tokens>`,
        )
      return { model, contextWindow: shown ?? SILENT_DEFAULT_WINDOW_TOKENS }
    }),
  )
  return { baseUrl, models, notes }
}

function originOf(host: string): string {
  const url = /^https?:\/\//.test(host) ? host : `http://${host}`
  const parsed = URL.canParse(url) ? new URL(url) : undefined
  if (parsed === undefined) return 'http://127.0.0.1:11434'
  const port =
    parsed.port === '' && parsed.protocol === 'http:' ? ':11434' : parsed.port === '' ? '' : `:${parsed.port}`
  // 0.0.0.0 is where Ollama listens, not where it can be reached.
  return `${parsed.protocol}//${parsed.hostname === '0.0.0.0' ? '127.0.0.1' : parsed.hostname}${port}`
}

async function ask(url: string, body?: object): Promise<Readonly<Record<string, unknown>> | undefined> {
  try {
    const response = await fetch(url, {
      method: body === undefined ? 'GET' : 'POST',
      body: body === undefined ? null : JSON.stringify(body),
      signal: AbortSignal.timeout(ASK_TIMEOUT_MS),
    })
    const value: unknown = response.ok ? await response.json() : undefined
    return isRecord(value) ? value : undefined
  } catch {
    return undefined
  }
}

async function firstModel(origin: string): Promise<string | undefined> {
  const tags = await ask(`${origin}/api/tags`)
  const rows: unknown = tags?.['models']
  if (!Array.isArray(rows)) return undefined
  for (const { name, details } of rows.filter(isRecord)) {
    const family = isRecord(details) ? String(details['family'] ?? '') : ''
    if (typeof name === 'string' && !/embed|bge|minilm/i.test(`${name} ${family}`)) return name
  }
  return undefined
}

/**
 * The window that `/api/show` gives: `num_ctx` of the model's parameters, else what its architecture holds. Should the host serve
 * less than that, the usage it reports gives it away and the attempt counts as overflow.
 */
async function shownWindow(origin: string, model: string): Promise<number | undefined> {
  const shown = await ask(`${origin}/api/show`, { model })
  const match = /\bnum_ctx\s+(\d+)/.exec(String(shown?.['parameters'] ?? ''))
  if (match?.[1] !== undefined) return Number(match[1])
  const info = shown?.['model_info']
  const length = Object.entries(isRecord(info) ? info : {}).find(([key]) => key.endsWith('.context_length'))?.[1]
  return typeof length === 'number' && length > 0 ? length : undefined
}
