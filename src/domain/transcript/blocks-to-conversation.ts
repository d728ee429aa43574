import { callOf } from '../conversation/call.ts'
import type { Call, Conversation, ResultStatus } from '../conversation/conversation.ts'
import { ConversationBuilder } from '../conversation/conversation-builder.ts'
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
      answers = answersOf(calls, resultsBehind(blocks, at))
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

/** Results told by their outcome alone (docs/spec/truth.md §10), and calls that were interrupted. */
function outcomeOf(text: string): { readonly text: string; readonly status: ResultStatus | undefined } {
  if (INTERRUPTED.test(text)) return { text: '', status: 'interrupted' }
  const outcome = text.startsWith('→ ') ? OUTCOME.exec(text) : null
  if (outcome === null) return { text, status: undefined }
  return { text: outcome[2] ?? '', status: outcome[1] as ResultStatus }
}

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

/**
 * The call of each result. Interrupted ones name their tool; empty results are left out of a transcript, and where that makes
 * fewer results than calls a result that names the file of a call is its answer.
 */
function answersOf(calls: readonly Call[], results: readonly Block[]): Map<Block, string> {
  const answers = new Map<Block, string>()
  const open = [...calls]
  const take = (block: Block, call: Call | undefined): void => {
    if (call === undefined) return
    answers.set(block, call.id)
    open.splice(open.indexOf(call), 1)
  }
  const isShort = results.length < calls.length
  for (const block of results) {
    const name = INTERRUPTED.exec(block.text)?.[1]
    if (name !== undefined)
      take(
        block,
        open.findLast((call) => call.name === name),
      )
    else if (isShort) {
      const head = block.text.slice(0, 600)
      take(
        block,
        open.find((call) => names(head, call)),
      )
    }
  }
  for (const block of results) if (!answers.has(block)) take(block, open[0])
  return answers
}

function names(text: string, call: Call): boolean {
  return call.tool !== 'run' && call.paths.some(({ path, use }) => use !== 'read' && text.includes(path))
}
