import type { Row } from '../dialects/row.ts'
import { chatMessageTokens, type RequestOverhead, requestOverhead } from '../tokens/chat-tokens.ts'

/** Tokens of a whole request in any dialect: what planList and assembleList report too (docs/spec/compaction.md §10). */
export function listTokens(rows: readonly Row[], overhead: RequestOverhead): number {
  return requestOverhead(overhead) + sumTokens(rows)
}

export function sumTokens(rows: readonly Row[]): number {
  let tokens = 0
  for (const row of rows) tokens += chatMessageTokens(row.message)
  return tokens
}
