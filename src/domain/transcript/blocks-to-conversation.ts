import { callOf } from '../conversation/call.ts'
import type { Call, Conversation, ResultStatus } from '../conversation/conversation.ts'
import { ConversationBuilder } from '../conversation/conversation-builder.ts'
import { answersOf } from './answers-of.ts'
import type { Block } from './block.ts'
import { parseCalls } from './parse-calls.ts'

/**
 * A serialized conversation as the one conversation value; `rows` are positions of blocks. Transcripts have no ids: results stand
 * in the order of the calls of the block before them.
 */
export function blocksToConversation(blocks: readonly Block[]): Conversation {
  const builder = new ConversationBuilder({ unanswered: 'unknown' })
  let answers = new Map<Block, string>()
  for (const [at, block] of blocks.entries()) {
    if (block.role === 'tool-calls') {
      const calls = callsIn(block, at)
      answers = answersOf({ calls, results: resultsBehind(blocks, at), interruptedTool })
      builder.assistant([at], calls)
    } else addBlock(builder, block, { at, callId: answers.get(block) ?? '' })
  }
  return builder.build()
}

const callsIn = (block: Block, at: number): Call[] =>
  parseCalls(block.text).map(({ name, args }, n) => callOf({ id: `${at}:${n}`, name, arguments: args }))

function addBlock(
  builder: ConversationBuilder,
  { role, label, text }: Block,
  { at, callId }: { readonly at: number; readonly callId: string },
): void {
  if (role === 'user') builder.user([at], [plainTags(text)])
  else if (role === 'assistant') builder.assistant([at], [{ kind: 'words', text }])
  else if (role === 'thinking') builder.assistant([at], [{ kind: 'thinking', text }])
  else if (role === 'tool-result' || role === 'tool-error') {
    builder.result([at], { callId, isError: role === 'tool-error', ...outcomeOf(text) })
  } else if (role === 'other' && label === '') builder.machine([at], text)
  else builder.notice([at], plainTags(text))
}

const OUTCOME = /^→ (ok|failed|denied|interrupted)(?: by the user)?(?:: ([\s\S]{1,2000}))?$/
const STATUSES: readonly ResultStatus[] = ['ok', 'failed', 'denied', 'interrupted']

/** Results given by their outcome alone (docs/spec/truth.md §10), and calls that were interrupted. */
function outcomeOf(text: string): { readonly text: string; readonly status: ResultStatus | undefined } {
  if (INTERRUPTED.test(text)) return { text: '', status: 'interrupted' }
  const outcome = text.startsWith('→ ') ? OUTCOME.exec(text) : null
  if (outcome === null) return { text, status: undefined }
  return { text: outcome[2] ?? '', status: STATUSES.find((status) => status === outcome[1]) }
}

/** The tool of a call that was interrupted, which its result names. */
const interruptedTool = ({ text }: Block): string | undefined => INTERRUPTED.exec(text)?.[1]

const INTERRUPTED = /^([\w.:/-]{1,120}): interrupted, no result$/

/** Tags that were defused as data are read as what they were: only who speaks is looked for in them. */
function plainTags(text: string): string {
  return text.includes('&lt;') ? text.replace(/&lt;(?=\/?[A-Za-z])/g, '<') : text
}

function resultsBehind(blocks: readonly Block[], at: number): Block[] {
  const results: Block[] = []
  for (let i = at + 1; i < blocks.length; i += 1) {
    const block = blocks[i]
    if (block === undefined || (block.role !== 'tool-result' && block.role !== 'tool-error')) break
    results.push(block)
  }
  return results
}
