/** The few words in which OpenAI-compatible providers differ, as far as a summary needs them. */
export interface WireDialect {
  readonly cap: TokenParameter
  /** The other name has been refused already, so a second refusal is not about the name. */
  readonly capSwitched: boolean
  readonly stream: boolean
  /** Ask for usage in the last chunk of a stream. */
  readonly streamOptions: boolean
}

export type TokenParameter = 'max_tokens' | 'max_completion_tokens'

/** What is sent to a provider nobody has talked to yet (docs/spec/models.md §1, "On the wire"). */
export function firstDialect(baseUrl: string, tokenParameter?: TokenParameter): WireDialect {
  const atOpenai = new URL(baseUrl).hostname === 'api.openai.com'
  return {
    cap: tokenParameter ?? (atOpenai ? 'max_completion_tokens' : 'max_tokens'),
    capSwitched: false,
    stream: true,
    streamOptions: true,
  }
}

const UNSUPPORTED =
  /unsupported|not supported|does(?:n't| not) support|unrecognized|unknown|unexpected|not permitted|not allowed|extra|invalid (?:field|parameter|argument)|instead/i
const NAMES_STREAM = /\bstream(?:ing)?\b/i

/** The dialect to try after a refusal that names one of our words, or null when it names none of them. */
export function nextDialect(dialect: WireDialect, refusal: string): WireDialect | null {
  if (!UNSUPPORTED.test(refusal)) return null
  if (dialect.stream && dialect.streamOptions && /stream_options|include_usage/.test(refusal)) {
    return { ...dialect, streamOptions: false }
  }
  if (!dialect.capSwitched && refusal.includes(dialect.cap)) {
    return { ...dialect, cap: dialect.cap === 'max_tokens' ? 'max_completion_tokens' : 'max_tokens', capSwitched: true }
  }
  return dialect.stream && NAMES_STREAM.test(refusal) ? { ...dialect, stream: false } : null
}
