import { matchCalls, rewrittenArguments } from '../match-calls.ts'
import { isObject, partText, type Row, roleOf } from '../row.ts'
import { type AnthropicSource, isContentBlock, isToolResult, isToolUse } from './blocks.ts'

type Block = Readonly<Record<string, unknown>>

/** What becomes one message unless its neighbour has the same role. */
interface Unit {
  readonly role: string
  /** The caller's own message, when nothing in it changed. */
  readonly whole?: Block
  /** Fields of the message beside role and content. */
  readonly base: Block
  readonly content: unknown
}

/** Rows back to Messages API messages: untouched ones as they came, neighbours of one role as one (session-compaction §12). */
export function writeAnthropic(rows: readonly Row[]): unknown[] {
  const groups: Unit[][] = []
  for (let at = 0; at < rows.length; ) {
    const { unit, used } = unitAt(rows, at)
    at += used
    const open = groups.at(-1)
    if (open?.[0]?.role === unit.role && (unit.role === 'user' || unit.role === 'assistant')) open.push(unit)
    else groups.push([unit])
  }
  return groups.map(messageOf)
}

function messageOf(units: readonly Unit[]): unknown {
  const [first] = units
  if (first !== undefined && units.length === 1) {
    return first.whole ?? { ...first.base, role: first.role, content: first.content }
  }
  const blocks = units.flatMap((unit) => blocksOf(unit.content))
  // The API wants results before anything else in a user's row.
  const results = blocks.filter(isToolResult)
  const content = results.length === 0 ? blocks : [...results, ...blocks.filter((block) => !isToolResult(block))]
  const base: Record<string, unknown> = {}
  // Unknown fields of all of them, the first message's where two differ.
  for (const unit of units.toReversed()) Object.assign(base, unit.base)
  return { ...base, role: first?.role ?? 'user', content }
}

/** Fields a rewritten message keeps: not the exact-bytes copy of its old text (hermes-spec §7). */
function baseOf(message: Block): Block {
  const { api_content: _, ...base } = message
  return base
}

/** The unit that begins at a row, and how many rows it takes. */
function unitAt(rows: readonly Row[], at: number): { unit: Unit; used: number } {
  const row = rows[at] as Row
  const source = row.source as AnthropicSource | undefined
  const role = roleOf(row.message) === 'tool' ? 'user' : roleOf(row.message)
  if (source === undefined) return { unit: { role, base: {}, content: row.message.content }, used: 1 }
  if (isWhole(rows, at, source)) {
    const { message } = source
    return { unit: { role, whole: message, base: baseOf(message), content: message.content }, used: source.parts }
  }
  return { unit: { role, base: baseOf(source.message), content: contentOf(row, source) }, used: 1 }
}

/** True when all rows of a message stand here, in order and untouched, and its results come first. */
function isWhole(rows: readonly Row[], at: number, source: AnthropicSource): boolean {
  if (source.part !== 0) return false
  for (let part = 0; part < source.parts; part += 1) {
    const row = rows[at + part]
    const own = row?.source as AnthropicSource | undefined
    if (row === undefined || row.message !== row.original || own?.message !== source.message || own.part !== part)
      return false
  }
  return source.parts === 1 || resultsFirst(source.message.content)
}

function resultsFirst(content: unknown): boolean {
  if (!Array.isArray(content)) return true
  const other = content.findIndex((block: unknown) => !isToolResult(block))
  return other < 0 || !content.slice(other).some(isToolResult)
}

function contentOf(row: Row, source: AnthropicSource): unknown {
  if (source.result !== undefined) {
    return [row.message === row.original ? source.result : { ...source.result, content: row.message.content }]
  }
  const before = source.message.content
  return roleOf(row.message) === 'assistant' && Array.isArray(before)
    ? answerBlocks(row, source, before)
    : row.message.content
}

/** An answer's blocks in their old order: thinking untouched, calls as they are now, texts as they are now. */
function answerBlocks(row: Row, source: AnthropicSource, before: readonly unknown[]): unknown[] {
  const content = blocksOf(row.message.content)
  const places = new Map(content.map((block, at) => [block, at]))
  const uses = usesNow(row, source)
  const out: unknown[] = []
  let written = 0
  for (const block of before) {
    if (isToolUse(block)) {
      const use = uses.get(block)
      if (use !== undefined) out.push(use)
    } else if (!isContentBlock(block)) out.push(block)
    else {
      const at = places.get(block)
      if (at === undefined || at < written) continue
      for (; written <= at; written += 1) out.push(content[written])
    }
  }
  return [...out, ...content.slice(written)]
}

/** tool_use blocks that are left, by the block they were; rewritten only where their arguments were cut. */
function usesNow(row: Row, source: AnthropicSource): Map<unknown, Block> {
  const before: readonly unknown[] = Array.isArray(row.original.tool_calls) ? row.original.tool_calls : []
  const now = new Map<unknown, Block>()
  matchCalls(row).forEach((call, at) => {
    const use = source.uses?.[at]
    if (call === undefined || use === undefined) return
    const args = rewrittenArguments(before[at], call)
    now.set(use, args === null ? use : { ...use, input: JSON.parse(args) as unknown })
  })
  return now
}

function blocksOf(content: unknown): unknown[] {
  const blocks: unknown[] = Array.isArray(content)
    ? content
    : typeof content === 'string'
      ? [{ type: 'text', text: content }]
      : []
  // Empty texts are refused by the API (bug-log B126).
  return blocks.filter((block) => !isObject(block) || block['type'] !== 'text' || partText(block) !== '')
}
