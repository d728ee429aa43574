import { asBuffer } from '../domain/as-buffer.ts'
import { spelledText } from '../domain/spelled-json.ts'
import { mostTextTokens, textTokens } from '../domain/tokens/text-tokens.ts'

/**
 * What a model is asked. One that came as JSON goes out as it was spelled: its text is made when somebody reads it, and of a long one that is
 * most of what a call costs. Plain questions of length are answered without it.
 */
export interface Prompt {
  readonly text: string
  /** Its JSON string as its sender spelled it, UTF-8, quotes included. */
  readonly json?: Uint8Array | undefined
  /** About how long: UTF-16 units of a text, bytes of a spelling. */
  readonly length: number
  /** At least as many tokens as `textTokens` would count. */
  readonly mostTokens: number
  /** As many as `textTokens` counts, or one more, where somebody has counted. */
  readonly tokens?: number | undefined
}

export const textPrompt = (text: string): Prompt => ({
  text,
  length: text.length,
  mostTokens: mostTextTokens(text),
})

/** What is known of a spelling beside its bytes. */
interface SpelledFacts {
  readonly text?: string | undefined
  readonly tokens?: number | undefined
}

/** `json` must be valid. Where its text is not known yet, it is not kept either: whoever waits for a model holds the bytes alone. */
export function spelledPrompt(json: Uint8Array, { text, tokens }: SpelledFacts = {}): Prompt {
  // A character is never spelled shorter than it is.
  const facts = { json, length: json.length, mostTokens: tokens ?? Math.ceil(json.length / 4), tokens }
  if (text !== undefined) return { ...facts, text }
  return {
    ...facts,
    get text(): string {
      return spelledText(json)
    },
  }
}

/** One that is put together whenever somebody reads it: many of them wait for their models at once, and all are parts of one text. */
export const madePrompt = (make: () => string, length: number): Prompt => ({
  get text(): string {
    return make()
  },
  length,
  mostTokens: mostTextTokens({ length }),
})

/** The same of pieces of a spelling, quotes included. */
export function splicedPrompt(pieces: readonly Uint8Array[], tokens?: number): Prompt {
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0)
  return {
    get json(): Uint8Array {
      return Buffer.concat(pieces)
    },
    get text(): string {
      return spelledText(Buffer.concat(pieces))
    },
    length,
    mostTokens: tokens ?? Math.ceil(length / 4),
    tokens,
  }
}

/** One with a paragraph more; what was spelled is not read for that. */
export function withParagraph(prompt: Prompt, text: string): Prompt {
  const { json, tokens } = prompt
  const behind = `\n\n${text}`
  if (json === undefined) return textPrompt(`${prompt.text}${behind}`)
  const pieces = [json.subarray(0, -1), Buffer.from(JSON.stringify(behind).slice(1))]
  return splicedPrompt(pieces, tokens === undefined ? undefined : tokens + textTokens(behind))
}

/** The same, for somebody who is going to read it more than once; where its tokens are known, it is too long to be kept as a text. */
export function readPrompt(prompt: Prompt): Prompt {
  if (prompt.tokens !== undefined) return prompt
  const { text, json } = prompt
  return json === undefined ? textPrompt(text) : spelledPrompt(json, { text })
}

export const promptTokens = (prompt: Prompt): number => prompt.tokens ?? textTokens(prompt.text)

/** True for equal texts, but for those that were spelled differently: they are asked for twice. */
export function isSamePrompt(one: Prompt, other: Prompt): boolean {
  if (one.json === undefined || other.json === undefined) return one.json === other.json && one.text === other.text
  return asBuffer(one.json).equals(other.json)
}
