import { CODECS, type ParsedList } from '../dialects/parse-messages.ts'
import type { Row } from '../dialects/row.ts'
import { messageTokens, requestTokens } from '../tokens/chat-tokens.ts'

/** Tokens of a whole request in any of the three formats: what planList and assembleList report too (session-compaction §10). */
export function listTokens(list: ParsedList & { readonly system?: unknown; readonly tools?: unknown }): number {
  const rows = CODECS[list.format].toRows(list.messages)
  return requestTokens({ messages: rows.map((row) => row.message), system: list.system, tools: list.tools })
}

export function sumTokens(rows: readonly Row[]): number {
  let tokens = 0
  for (const row of rows) tokens += messageTokens(row.message)
  return tokens
}
