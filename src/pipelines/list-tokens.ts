import { CODECS, type ParsedList } from '../domain/chat/parse-messages.ts'
import { sumTokens } from '../domain/chat/plan-list.ts'
import { requestOverhead } from '../domain/tokens/chat.ts'

/** Estimate of the whole request: messages, system prompt and tool schemas; the one figure trigger and progress share. */
export function listTokens(list: ParsedList, request: { readonly system?: unknown; readonly tools?: unknown }): number {
  return requestOverhead(request) + sumTokens(CODECS[list.format].toRows(list.messages))
}
