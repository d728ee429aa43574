import { isSubstantive, ownWords } from '../ledger/user-words.ts'
import { sliceSafely } from '../text/clean.ts'
import { bytesOfTokens, textTokens } from '../tokens/text-tokens.ts'
import { utf8Length } from '../tokens/utf8.ts'
import type { Block } from '../transcript/block.ts'
import { parseBlocks } from '../transcript/parse-blocks.ts'

/** The newest part of a conversation that the short summary reads, in tokens (docs/spec/compaction.md §6). */
const NEWEST_TOKENS = 8_000
const ASKS_TOKENS = 2_000
const ASK_LENGTH = 400

/**
 * What the short summary is made from: the user's asks and the newest 8 000 tokens of a serialised conversation, both in
 * whole blocks and in order. Short enough never to be folded, whatever the session weighs.
 */
export function shortConversation(conversation: string): string {
  if (textTokens(conversation) <= NEWEST_TOKENS) return conversation
  const blocks = parseBlocks(conversation)
  const from = startOfNewest(blocks)
  const newest = blocks[from]
  const tail = newest === undefined ? lastBlock(conversation, blocks.at(-1)) : conversation.slice(newest.start)
  return [...asks(blocks.slice(0, from)), tail].join('\n\n')
}

/** Index of the oldest block that belongs to the newest tokens; the number of blocks when the last one alone is larger. */
function startOfNewest(blocks: readonly Block[]): number {
  let tokens = 0
  for (let at = blocks.length - 1; at >= 0; at -= 1) {
    tokens += textTokens(blocks[at]?.text ?? '') + 8
    if (tokens > NEWEST_TOKENS) return at + 1
  }
  return 0
}

/** A giant at the end gives its last part, under its own label. */
function lastBlock(conversation: string, block: Block | undefined): string {
  const text = block?.text ?? conversation
  const bytes = bytesOfTokens(NEWEST_TOKENS)
  // As many UTF-16 units as fit whatever the script; three bytes a unit are the most.
  const units = utf8Length(text) === text.length ? bytes : Math.floor(bytes / 3)
  const end = sliceSafely(text, Math.max(0, text.length - units), text.length)
  return block === undefined || block.label === '' ? end : `[${block.label}]: … ${end}`
}

/** The first ask and the newest ones that fit, each cut to its beginning. */
function asks(blocks: readonly Block[]): string[] {
  const said = blocks.filter((block) => block.role === 'user')
  const firstAt = said.findIndex((block) => askLine(block) !== '')
  const first = askLine(said[firstAt])
  if (first === '') return []
  const newest: string[] = []
  let left = ASKS_TOKENS - textTokens(first)
  // From the end: no more of a long session is read than is shown.
  for (let at = said.length - 1; at > firstAt; at -= 1) {
    const line = askLine(said[at])
    if (line === '') continue
    left -= textTokens(line) + 1
    if (left < 0) break
    newest.push(line)
  }
  return [first, ...newest.reverse()]
}

/** '' for a block that asks for nothing. */
function askLine(block: Block | undefined): string {
  const words = ownWords(block?.text ?? '')
  if (!isSubstantive(words)) return ''
  return `[User]: ${words.length > ASK_LENGTH ? `${sliceSafely(words, 0, ASK_LENGTH)} …` : words}`
}
