import { parseCalls } from '../conversation/parse-calls.ts'
import type { Region, RegionCall, RegionEvent } from '../conversation/tool-event.ts'
import { isSynthetic } from '../ledger/user-words.ts'
import type { Block } from './block.ts'

const RAN = /^Ran (?:`([^`\n]+)`|Python:)\n/

/** The region that a serialised conversation shows; results are matched to the calls before them in order. */
export function regionFromBlocks(blocks: readonly Block[]): Region {
  const events: RegionEvent[] = []
  // Indexes of calls that still wait for their result.
  let waiting: number[] = []
  for (const block of blocks) {
    switch (block.role) {
      case 'user':
        events.push(...userEvents(block.text))
        waiting = []
        break
      case 'assistant':
        events.push({ kind: 'assistant', text: block.text })
        break
      case 'tool-calls':
        waiting = parseCalls(block.text).map(
          ({ name, args }) => events.push({ kind: 'call', name, args, failed: false, result: '' }) - 1,
        )
        break
      case 'tool-result':
      case 'tool-error':
        answer(events, waiting, block)
        break
      case 'machine':
      case 'thinking':
      case 'other':
        break
      default:
        block.role satisfies never
    }
  }
  return { events, source: blocks.map((block) => block.text) }
}

function userEvents(text: string): RegionEvent[] {
  const ran = RAN.exec(text)
  if (ran !== null) {
    // `!command` of the user: it was run, not asked for (omp-spec §3, bashExecution).
    return [
      { kind: 'call', name: 'bash', args: { command: ran[1] ?? '' }, failed: false, result: text.slice(ran[0].length) },
    ]
  }
  // Earlier summaries travel as user messages too; their words are not the user's (omp-spec §3, hermes-spec §13).
  return isSynthetic(text) ? [] : [{ kind: 'user', text }]
}

function answer(events: RegionEvent[], waiting: number[], block: Block): void {
  const at = waiting.shift()
  const event = at === undefined ? undefined : events[at]
  const failed = block.role === 'tool-error'
  if (at === undefined || event?.kind !== 'call') {
    events.push({ kind: 'call', name: 'unknown', args: {}, failed, result: block.text })
    return
  }
  events[at] = { ...event, failed, result: block.text } satisfies RegionCall
}
