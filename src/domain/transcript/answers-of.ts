import type { Call } from '../conversation/conversation.ts'
import type { Block } from './block.ts'

export interface CalledBlock {
  readonly calls: readonly Call[]
  /** The blocks of results after the calls. */
  readonly results: readonly Block[]
  /** The tool that a result of an interrupted call names. */
  interruptedTool(block: Block): string | undefined
}

/** A result is looked for among so many of the oldest calls without one: an agent makes a dozen at once. */
const LOOKED_AT = 256

/**
 * The id of the call of each result. Interrupted ones name their tool; empty results are left out of a transcript, and where that
 * makes fewer results than calls a result that names the file of a call is its answer. Linear in calls and results.
 */
export function answersOf({ calls, results, interruptedTool }: CalledBlock): Map<Block, string> {
  const answers = new Map<Block, string>()
  const open = new Set(calls)
  const take = (block: Block, call: Call | undefined): void => {
    if (call === undefined) return
    answers.set(block, call.id)
    open.delete(call)
  }
  const all = oldestFirst({ calls, open, most: 1 })
  const changing = oldestFirst({ calls: calls.filter(changesFile), open, most: LOOKED_AT })
  const newest = newestOf(calls, open)
  const isShort = results.length < calls.length
  for (const block of results) {
    const tool = interruptedTool(block)
    if (tool !== undefined) take(block, newest(tool))
    else if (isShort) {
      const head = block.text.slice(0, 600)
      take(
        block,
        changing().find((call) => open.has(call) && names(head, call)),
      )
    }
  }
  for (const block of results)
    if (!answers.has(block))
      take(
        block,
        all().find((call) => open.has(call)),
      )
  return answers
}

interface OpenCalls {
  readonly calls: readonly Call[]
  readonly open: ReadonlySet<Call>
  readonly most: number
}

/** The oldest calls from the first one on that is still open; some after it may not be. */
function oldestFirst({ calls, open, most }: OpenCalls): () => readonly Call[] {
  let from = 0
  return () => {
    for (let call = calls[from]; call !== undefined && !open.has(call); call = calls[from]) from += 1
    return calls.slice(from, from + most)
  }
}

/** The newest open call of a tool. */
function newestOf(calls: readonly Call[], open: ReadonlySet<Call>): (tool: string) => Call | undefined {
  const byName = Map.groupBy(calls, ({ name }) => name)
  return (tool) => {
    const named = byName.get(tool) ?? []
    let call = named.pop()
    while (call !== undefined && !open.has(call)) call = named.pop()
    return call
  }
}

const changesFile = ({ tool, paths }: Call): boolean => tool !== 'run' && paths.some(({ use }) => use !== 'read')

const names = (text: string, { paths }: Call): boolean =>
  paths.some(({ path, use }) => use !== 'read' && text.includes(path))
