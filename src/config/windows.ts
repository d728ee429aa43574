/** Context window and output cap in tokens, by model family. A name that matches no row gets the default window and a warning. */
const FAMILIES: readonly (readonly [pattern: RegExp, contextWindow: number, maxOutputTokens: number | undefined])[] = [
  [/^gpt-5/, 400_000, 128_000],
  [/^gpt-4\.1/, 1_047_576, 32_768],
  [/^(gpt-4o|chatgpt-4o)/, 128_000, 16_384],
  [/^gpt-4-turbo/, 128_000, 4_096],
  [/^o[134]\b/, 200_000, 100_000],
  [/^claude-(haiku|sonnet|opus)-[4-9]/, 200_000, 32_000],
  [/^claude-3/, 200_000, 8_192],
  [/^gemini-(2|3)/, 1_048_576, 65_536],
  [/^gemini-1\.5/, 1_048_576, 8_192],
  [/(^|\/)deepseek-(chat|reasoner|v3|r1)/, 64_000, 8_192],
  [/(^|\/)grok-[34]/, 131_072, undefined],
  [/(^|\/)(llama-?3\.[1-9]|llama-?4)/i, 131_072, undefined],
  [/(^|\/)(mistral-(large|medium|small)|codestral|devstral)/, 128_000, undefined],
  [/(^|\/)qwen-?(2\.5|3)/i, 32_768, undefined],
  [/(^|\/)kimi-k2/, 128_000, undefined],
  [/(^|\/)glm-4/, 128_000, undefined],
]

/** Window of a model nobody knows (docs/spec/models.md §1). */
const DEFAULT_WINDOW_TOKENS = 32_768

export interface WindowFacts {
  readonly contextWindow: number
  readonly maxOutputTokens?: number | undefined
  readonly known: boolean
}

export function knownWindow(modelName: string): WindowFacts {
  const row = FAMILIES.find(([pattern]) => pattern.test(modelName))
  if (row === undefined) return { contextWindow: DEFAULT_WINDOW_TOKENS, known: false }
  return { contextWindow: row[1], maxOutputTokens: row[2], known: true }
}
