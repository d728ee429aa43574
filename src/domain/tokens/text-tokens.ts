import { utf8Length } from './utf8.ts'

/** Tokens of a plain text: UTF-8 bytes / 4, rounded up. The rule of prompts, summaries and sessions (docs/spec/compaction.md §2). */
export function textTokens(text: string): number {
  return Math.ceil(utf8Length(text) / 4)
}

/** At least as many as textTokens, from the length alone: no UTF-16 unit takes more than three bytes. */
export function mostTextTokens({ length }: { readonly length: number }): number {
  return Math.ceil((length * 3) / 4)
}

/** The most bytes a text of so many tokens may have; the inverse of textTokens. */
export function bytesOfTokens(tokens: number): number {
  return tokens * 4
}
