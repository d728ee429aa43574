import { callsNow } from '../calls-now.ts'
import type { Loose } from '../codec.ts'
import { callsOf, type Row, resultId, roleOf } from '../row.ts'
import { isRowPart, type MediaPart, partBack } from '../row-part.ts'
import type { BlockSource } from './read-blocks.ts'

/** How one dialect writes what a step rewrote or made; everything else goes back as it came. */
export interface BlockWriter {
  readonly field: 'content' | 'parts'
  /** The dialect's role for a chat role. */
  roleOf(role: string): string
  /** True where a text alone may stand for the blocks. */
  readonly takesText: boolean
  text(text: string): unknown
  /** The call with other arguments, as JSON text or as the bare input it was. */
  withArguments(block: unknown, args: string): unknown
  /** The result with other content: a text or blocks. */
  withContent(block: unknown, content: string | readonly unknown[]): unknown
  isResult(block: unknown): boolean
  /** A block without anything in it, which the provider refuses (docs/bug-log.md B126). */
  isEmpty(block: unknown): boolean
  /** Whether two neighbours become one message. */
  joins(one: Unit, other: Unit): boolean
  /** What a list of another dialect needs; absent where none is turned into this one. */
  readonly make?: BlockMaker
}

export interface BlockMaker {
  media(part: MediaPart): unknown
  call(call: { readonly id: string; readonly name: string; readonly args: string }): unknown
  result(result: {
    readonly id: string
    readonly content: string | readonly unknown[]
    readonly isError: boolean
  }): unknown
}

/** What becomes one message unless it joins its neighbour. */
export interface Unit {
  readonly role: string
  /** The caller's own message, when nothing in it changed. */
  readonly whole?: Loose | undefined
  /** The message it came from. */
  readonly source?: Loose | undefined
  readonly content: unknown
}

/** Rows back to messages of blocks: untouched ones as they came, neighbours joined where the dialect wants it. */
export function writeBlocks(rows: readonly Row<BlockSource>[], writer: BlockWriter): Loose[] {
  const groups: Unit[][] = []
  for (let at = 0; at < rows.length; ) {
    const { unit, used } = unitAt(rows, at, writer)
    at += used
    const open = groups.at(-1)
    const last = open?.at(-1)
    if (open !== undefined && last !== undefined && last.role === unit.role && writer.joins(last, unit)) open.push(unit)
    else groups.push([unit])
  }
  return groups.map((units) => messageOf(units, writer))
}

function messageOf(units: readonly Unit[], writer: BlockWriter): Loose {
  const [first] = units
  if (first !== undefined && units.length === 1) {
    return first.whole ?? { ...baseOf(first, writer), role: first.role, [writer.field]: first.content }
  }
  const blocks = units.flatMap(({ content }) => listOf(content, writer)).filter((block) => !writer.isEmpty(block))
  // Providers want results before anything else in a user's row.
  const results = blocks.filter((block) => writer.isResult(block))
  const content = results.length === 0 ? blocks : [...results, ...blocks.filter((block) => !writer.isResult(block))]
  const base: Record<string, unknown> = {}
  // Unknown fields of all of them, the first message's where two differ.
  for (const unit of units.toReversed()) Object.assign(base, baseOf(unit, writer))
  return { ...base, role: first?.role ?? 'user', [writer.field]: content }
}

function listOf(content: unknown, writer: BlockWriter): readonly unknown[] {
  if (Array.isArray(content)) return content
  return typeof content === 'string' && content !== '' ? [writer.text(content)] : []
}

/** Fields of a message beside role and content: not the exact-bytes copy of its old text (docs/spec/lists.md §7). */
function baseOf({ source }: Unit, { field }: BlockWriter): Loose {
  const { api_content: _, [field]: __, ...base } = source ?? {}
  return base
}

/** The unit that begins at a row, and how many rows it takes. */
function unitAt(rows: readonly Row<BlockSource>[], at: number, writer: BlockWriter): { unit: Unit; used: number } {
  const row = rows[at]
  if (row === undefined) return { unit: { role: 'user', content: [] }, used: 1 }
  const { source } = row
  const role = writer.roleOf(roleOf(row.message))
  if (source === undefined) return { unit: { role, content: madeContent(row, writer) }, used: 1 }
  if (isWhole({ rows, at }, source, writer)) {
    const { message } = source
    return { unit: { role, whole: message, source: message, content: message[writer.field] }, used: source.parts }
  }
  return { unit: { role, source: source.message, content: contentOf(row, source, writer) }, used: 1 }
}

/** True when all rows of a message stand here, in order and untouched, and its results come first. */
function isWhole(
  { rows, at }: { readonly rows: readonly Row<BlockSource>[]; readonly at: number },
  source: BlockSource,
  writer: BlockWriter,
): boolean {
  if (source.part !== 0) return false
  for (let part = 0; part < source.parts; part += 1) {
    const row = rows[at + part]
    if (row === undefined || row.message !== row.original) return false
    if (row.source?.message !== source.message || row.source.part !== part) return false
  }
  return source.parts === 1 || resultsFirst(source.message[writer.field], writer)
}

function resultsFirst(content: unknown, writer: BlockWriter): boolean {
  if (!Array.isArray(content)) return true
  const other = content.findIndex((block: unknown) => !writer.isResult(block))
  return other < 0 || !content.slice(other).some((block: unknown) => writer.isResult(block))
}

/** The content of a rewritten row in the dialect's own blocks. */
function contentOf(row: Row<BlockSource>, source: BlockSource, writer: BlockWriter): unknown {
  const content = nativeContent(row.message.content, writer)
  if (source.result !== undefined) {
    const same = row.message.content === row.original.content
    return [
      same ? source.result : writer.withContent(source.result, Array.isArray(content) ? content : String(content)),
    ]
  }
  const before = source.message[writer.field]
  return roleOf(row.message) === 'assistant' && Array.isArray(before)
    ? answerBlocks(row, { source, before }, writer)
    : content
}

/** An answer's blocks in their old order: thinking untouched, calls as they are now, texts as they are now. */
function answerBlocks(
  row: Row<BlockSource>,
  { source, before }: { readonly source: BlockSource; readonly before: readonly unknown[] },
  writer: BlockWriter,
): unknown[] {
  const { content } = row.message
  const parts: readonly unknown[] = Array.isArray(content) ? content : content === '' ? [] : [content]
  const places = new Map(parts.map((part, at) => [fromOf(part), at]))
  const calls = new Map<unknown, unknown>()
  callsNow(row, source.calls, writer.withArguments).forEach((call, at) => {
    calls.set(source.calls[at], call)
  })
  const out: unknown[] = []
  let written = 0
  for (const block of before) {
    if (calls.has(block)) {
      const call = calls.get(block)
      if (call !== undefined) out.push(call)
      continue
    }
    const at = places.get(block)
    if (at === undefined || at < written) continue
    for (const back of nativeList(parts.slice(written, at + 1), writer)) out.push(back)
    written = at + 1
  }
  return [...out, ...nativeList(parts.slice(written), writer)]
}

function fromOf(part: unknown): unknown {
  return typeof part === 'object' && part !== null && 'from' in part ? part.from : part
}

/** Content of a row that another dialect or we ourselves wrote. */
function madeContent(row: Row<BlockSource>, writer: BlockWriter): unknown {
  const { message } = row
  const { make } = writer
  const content = nativeContent(message.content, writer)
  if (make === undefined) return content
  const list = Array.isArray(content) ? content : typeof content === 'string' ? content : ''
  if (roleOf(message) === 'tool')
    return [make.result({ id: resultId(message), content: list, isError: message['is_error'] === true })]
  const calls = callsOf(message).map(make.call)
  return calls.length === 0 ? content : [...listOf(content, writer), ...calls]
}

/** A text where the dialect takes one, else blocks; nothing stays nothing. */
function nativeContent(content: unknown, writer: BlockWriter): unknown {
  if (typeof content === 'string' && !writer.takesText) return [writer.text(content)]
  return Array.isArray(content) ? nativeList(content, writer) : content
}

function nativeList(parts: readonly unknown[], writer: BlockWriter): unknown[] {
  return parts.flatMap((part) => {
    const back = madeMedia(part, writer) ?? partBack(part, writer.text)
    return back === undefined ? [] : [back]
  })
}

function madeMedia(part: unknown, { make }: BlockWriter): unknown {
  const isOurs = isRowPart(part) && part.type === 'media' && part.from === undefined
  return isOurs ? make?.media(part) : undefined
}
