/** What an error answer says, whatever shape the provider gave it. */
export interface FailureBody {
  /** Lower-case machine words found under `code`, `type`, `status`, `reason` and the like. */
  readonly codes: readonly string[]
  /** A status that stands in the body (`"code": 429`), where the answer itself came with 200. */
  readonly status?: number
  /** Every text of it, shortened; never shown to anybody, only matched. */
  readonly text: string
}

const CODE_KEYS = new Set(['code', 'type', 'status', 'reason', 'error_type', '__type', 'error'])
const MAX_TEXT = 8192
const MAX_INNER = 65_536
const MAX_DEPTH = 6
const MACHINE_WORD = /^[A-Za-z][A-Za-z0-9_.:-]{2,79}$/
const STATUS_WORD = /^[45]\d\d$/

/**
 * Reads an error body: an object at any nesting, a list of them (Gemini's OpenAI face), a JSON text inside a string
 * (Qwen and OpenRouter wrap the original so), or plain text.
 */
export function readFailureBody(body: unknown): FailureBody {
  const found = { codes: [] as string[], status: undefined as number | undefined, texts: [] as string[], length: 0 }
  walk(body, '', 0, found)
  const text = found.texts.join('\n')
  return { codes: found.codes, text, ...(found.status === undefined ? {} : { status: found.status }) }
}

interface Found {
  readonly codes: string[]
  status: number | undefined
  readonly texts: string[]
  length: number
}

function walk(value: unknown, key: string, depth: number, found: Found): void {
  if (depth > MAX_DEPTH || found.length > MAX_TEXT) return
  if (typeof value === 'string') {
    const inner = parseInner(value)
    if (inner === undefined) takeText(value.slice(0, MAX_TEXT), key, found)
    else walk(inner, key, depth + 1, found)
  } else if (typeof value === 'number') {
    if ((key === 'code' || key === 'status') && value >= 400 && value < 600) found.status ??= value
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, inner] of Object.entries(value)) walk(inner, Array.isArray(value) ? key : name, depth + 1, found)
  }
}

function takeText(text: string, key: string, found: Found): void {
  if (CODE_KEYS.has(key) && MACHINE_WORD.test(text)) found.codes.push(text.toLowerCase())
  if (CODE_KEYS.has(key) && STATUS_WORD.test(text)) found.status ??= Number(text)
  // Gemini's RetryInfo is the one field whose name matters to the text patterns (retry-hint.ts).
  found.texts.push(key === 'retryDelay' ? `"retryDelay":"${text}"` : text)
  found.length += text.length
}

function parseInner(text: string): object | undefined {
  const first = text.trimStart()[0]
  if ((first !== '{' && first !== '[') || text.length > MAX_INNER) return undefined
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}
