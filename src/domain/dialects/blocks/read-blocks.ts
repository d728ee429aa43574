import type { ChatMessage } from '../../tokens/chat-tokens.ts'
import { chatCall } from '../calls-now.ts'
import type { Loose } from '../codec.ts'
import type { Row } from '../row.ts'
import type { RowPart } from '../row-part.ts'
import type { BlockView, CallBlock, ResultBlock } from './block-view.ts'

/** What the writer needs to put a row back: its message, its place among that message's rows, its blocks. */
export interface BlockSource {
  readonly message: Loose
  readonly part: number
  readonly parts: number
  /** The block of a tool row. */
  readonly result?: unknown
  /** The block of every chat-shaped call, in the order of `tool_calls`. */
  readonly calls: readonly unknown[]
}

/** How one dialect's messages of blocks are read. */
export interface BlockReader {
  /** Name of the field that holds the blocks. */
  readonly field: 'content' | 'parts'
  /** Chat role of a message. */
  roleOf(message: Loose): string
  read(block: unknown, at: { readonly role: string; readonly index: number }): BlockView
}

/** Rows of messages that are lists of blocks: every result becomes a tool row, calls become calls, the rest is content. */
export function readBlocks(messages: readonly Loose[], reader: BlockReader): Row<BlockSource>[] {
  return messages.flatMap((message, index) => rowsOf(message, index, reader))
}

function rowsOf(message: Loose, index: number, reader: BlockReader): Row<BlockSource>[] {
  const blocks: unknown = message[reader.field]
  const role = reader.roleOf(message)
  if (!Array.isArray(blocks)) {
    const view: ChatMessage = { role, content: blocks }
    return [{ index, message: view, original: view, source: { message, part: 0, parts: 1, calls: [] } }]
  }
  const given: readonly unknown[] = blocks
  const read = given.map((block) => ({ block, view: reader.read(block, { role, index }) }))
  const results = read.flatMap(({ block, view }) => (view.type === 'result' ? [{ block, view }] : []))
  const rest = read.filter(({ view }) => view.type !== 'result')
  if (results.length === 0) return [spokenRow({ message, index, role, place: { part: 0, parts: 1 } }, rest)]
  const parts = results.length + (rest.length === 0 ? 0 : 1)
  const rows = results.map(({ block, view }, part) =>
    resultRow({ message, index }, view, { part, parts, result: block }),
  )
  return rest.length === 0
    ? rows
    : [...rows, spokenRow({ message, index, role, place: { part: parts - 1, parts } }, rest)]
}

function resultRow(
  { message, index }: { readonly message: Loose; readonly index: number },
  { id, content, isError }: ResultBlock,
  place: { readonly part: number; readonly parts: number; readonly result: unknown },
): Row<BlockSource> {
  const view: ChatMessage = { role: 'tool', tool_call_id: id, content, is_error: isError || undefined }
  return { index, message: view, original: view, source: { message, ...place, calls: [] } }
}

function spokenRow(
  {
    message,
    index,
    role,
    place,
  }: {
    readonly message: Loose
    readonly index: number
    readonly role: string
    readonly place: { readonly part: number; readonly parts: number }
  },
  read: readonly { readonly block: unknown; readonly view: BlockView }[],
): Row<BlockSource> {
  const content: RowPart[] = []
  const calls: CallBlock[] = []
  const native: unknown[] = []
  for (const { block, view } of read) {
    if (view.type === 'call') {
      calls.push(view)
      native.push(block)
    } else if (view.type !== 'result') content.push(view)
  }
  const tool_calls = calls.length === 0 ? undefined : calls.map(({ id, name, args }) => chatCall(id, name, args))
  // What stands in a row of results and is none belongs to the row before it: the answer to a request for approval.
  const isBound = role === 'tool' || undefined
  const view: ChatMessage = { role: isBound ? '' : role, content, tool_calls }
  return { index, message: view, original: view, isBound, source: { message, ...place, calls: native } }
}
