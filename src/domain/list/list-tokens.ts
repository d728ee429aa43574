import type { Row } from '../dialects/row.ts'
import { chatMessageTokens, requestOverhead } from '../tokens/chat-tokens.ts'

/** What a list weighs beside its rows. */
export interface ListOverhead {
  readonly system?: unknown
  readonly tools?: unknown
}

/** Tokens of a whole request in any dialect: what planList and assembleList report too (docs/spec/compaction.md §10). */
export function listTokens(rows: readonly Row[], overhead: ListOverhead): number {
  return requestOverhead(overhead) + sumTokens(rows)
}

export function sumTokens(rows: readonly Row[]): number {
  let tokens = 0
  for (const row of rows) tokens += chatMessageTokens(row.message)
  return tokens
}
