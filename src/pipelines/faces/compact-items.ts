import { isInstructionRow, roleOfRow } from '../../domain/agents/request-view.ts'
import { parseMessages } from '../../domain/dialects/parse-messages.ts'
import { rowsToConversation } from '../../domain/dialects/rows-to-conversation.ts'
import { isRecord } from '../../domain/is-record.ts'
import { sumTokens } from '../../domain/list/list-tokens.ts'
import { redact } from '../../domain/text/redact.ts'
import { textTokens } from '../../domain/tokens/text-tokens.ts'
import { NO_USAGE, type Usage } from '../../models/model.ts'
import { isSealedItem, openItems } from '../items/open-items.ts'
import type { PipelineCall } from '../pipeline-context.ts'
import { summarizeHistory } from '../prompt/summarize-history.ts'
import { selectModel } from '../select-model.ts'
import { liftSummaries, withoutSummaries } from './read-rows.ts'

type Item = Readonly<Record<string, unknown>>

export interface ItemsRequest {
  readonly rows: readonly unknown[]
  readonly instructions?: unknown
  readonly model?: string | undefined
}

export interface CompactedItems {
  /** Messages of the user, system and developer as they came, then items of others that only they can read. */
  readonly kept: readonly Item[]
  readonly item: Item
  readonly model: string
  readonly usage: Usage
  readonly savedTokens: number
  readonly cache: 'hit' | 'miss' | 'coalesced' | undefined
}

/** Tokens of the user's own words that go into an item beside the summary: clients drop everything before it. */
const MOST_ASK_TOKENS = 4_000

/** A client that compacts before anything was said still expects an item. */
const NOTHING_YET = 'Nothing was asked or done yet.'

/**
 * Longer `instructions` are no wishes of the caller's for the summary: they are an agent's own system prompt, which many clients
 * send along.
 */
const MOST_WISH_CHARACTERS = 2_000

/** A list of Responses items as one compaction item (docs/spec/faces.md §1). Where nothing was done yet it holds the asks alone. */
export async function compactItems(call: PipelineCall<ItemsRequest>, signal: AbortSignal): Promise<CompactedItems> {
  const { request, context, deps } = call
  const rows = openItems(request.rows, deps.items)
  const kept = request.rows.filter((row): row is Item => isRecord(row) && (isKeptMessage(row) || isForeign(row, call)))
  const places = rows.flatMap((row, at) => (isInstructionRow(row) || isSealedItem(row) ? [] : [at]))
  const worked = places.map((at) => rows[at])
  const asks = asksOf(request.rows)
  const hasWork = request.rows.some(
    (row) => !isInstructionRow(row) && roleOfRow(row) !== 'user' && !(isRecord(row) && isForeign(row, call)),
  )
  const seal = (text: string): Item => ({
    type: 'compaction',
    id: `cmp_${context.requestId}`,
    encrypted_content: deps.items.seal(text),
  })
  if (!hasWork) {
    const model = selectModel({}, context, deps).candidates[0].id
    return {
      kept,
      item: seal(asks === '' ? NOTHING_YET : asks),
      model,
      usage: NO_USAGE,
      savedTokens: 0,
      cache: undefined,
    }
  }
  const read = withoutSummaries(parseMessages(worked, 'responses', { member: 'input', rows: places }).rows)
  const lifted = liftSummaries(rowsToConversation(read.rows), read.previousSummary)
  const { model } = request
  const focus = wishOf(request.instructions)
  const made = await summarizeHistory(
    { ...call, request: { ...lifted, system: '', instruction: null, isStrict: true, focus, model } },
    signal,
  )
  const text = asks === '' ? made.summary : `${made.summary}\n\n${asks}`
  const savedTokens = Math.max(0, sumTokens(read.rows) - textTokens(text))
  return { kept, item: seal(text), model: made.model, usage: made.usage, savedTokens, cache: made.cache }
}

const isKeptMessage = (row: Item): boolean =>
  ['user', 'system', 'developer'].includes(roleOfRow(row)) && (row['type'] ?? 'message') === 'message'

const isForeign = (row: Item, { deps }: PipelineCall<ItemsRequest>): boolean =>
  isSealedItem(row) && deps.items.open(row.encrypted_content) === null

/** What the user asked, newest kept longest, in the order in which it was asked. */
function asksOf(rows: readonly unknown[]): string {
  const asks: string[] = []
  let tokens = 0
  for (const row of rows.toReversed()) {
    const text = isRecord(row) && roleOfRow(row) === 'user' ? redact(wordsOf(row)).trim() : ''
    if (text === '') continue
    tokens += textTokens(text)
    if (tokens > MOST_ASK_TOKENS && asks.length > 0) break
    asks.unshift(`- ${text.replaceAll('\n', '\n  ')}`)
  }
  return asks.length === 0 ? '' : `## Requests of the user\n${asks.join('\n')}`
}

function wordsOf({ content }: Item): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  return content
    .flatMap((part: unknown) => (isRecord(part) && typeof part['text'] === 'string' ? [part['text']] : []))
    .join('\n')
}

function wishOf(instructions: unknown): string | undefined {
  const wish = typeof instructions === 'string' ? instructions.trim() : ''
  return wish === '' || wish.length > MOST_WISH_CHARACTERS ? undefined : wish
}
