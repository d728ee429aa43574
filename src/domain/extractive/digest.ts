import { commandOf } from '../conversation/commands.ts'
import { type Outcome, outcomeOf } from '../conversation/outcome.ts'
import { type ParsedCall, parseCalls } from '../conversation/parse-calls.ts'
import { type ToolEffect, toolEffect } from '../conversation/tool-names.ts'
import { type Touched, touchedFiles } from '../conversation/touched-files.ts'
import { type Said, saidIn } from '../ledger/said.ts'
import type { Block } from '../transcript/block.ts'
import { askOf } from './ask.ts'
import { pairResults } from './pair-results.ts'

/** A turn of the user. `text` is what the user wrote, wrappers of the agent left out. */
export interface Ask {
  readonly at: number
  readonly text: string
  readonly trivial: boolean
}

/** Something the assistant said. `closing`: nothing but the user's next turn, or the end, follows it. */
export interface Statement {
  readonly at: number
  readonly text: string
  readonly said: readonly Said[]
  readonly closing: boolean
}

/** One tool call with what came of it. */
export interface Step {
  readonly at: number
  readonly call: ParsedCall
  readonly effect: ToolEffect
  readonly command: string
  readonly touched: Touched
  readonly result: string
  readonly outcome: Outcome
}

/** What the extractors read: the conversation by kind, everything in its order (`at` is the number of the block). */
export interface Digest {
  readonly asks: readonly Ask[]
  readonly statements: readonly Statement[]
  readonly steps: readonly Step[]
  /** Summaries of earlier history that stand in the transcript as messages of their own. */
  readonly summaries: readonly string[]
  readonly length: number
}

/** Sorts the blocks of a conversation and pairs calls with their results. Linear. */
export function digest(blocks: readonly Block[]): Digest {
  const asks: Ask[] = []
  const statements: Statement[] = []
  const steps: Step[] = []
  const summaries: string[] = []
  blocks.forEach((block, at) => {
    if (block.role === 'user') {
      const ask = askOf(block.text)
      if (ask.kind === 'summary') summaries.push(ask.text)
      else if (ask.kind === 'command')
        steps.push(stepOf(at, { name: 'bash', args: { command: ask.command } }, ask.text, false))
      else if (ask.kind === 'ask') asks.push({ at, text: ask.text, trivial: ask.trivial })
    } else if (block.role === 'assistant') {
      const text = block.text.trim()
      if (text !== '') statements.push({ at, text, said: saidIn(text), closing: closes(blocks, at) })
    } else if (block.role === 'tool-calls') {
      const calls = parseCalls(block.text)
      const results = pairResults(calls, resultsAfter(blocks, at))
      calls.forEach((call, i) => {
        const result = results[i]
        steps.push(stepOf(at, call, result?.text ?? '', result?.role === 'tool-error', result === undefined))
      })
    }
  })
  return { asks, statements, steps, summaries, length: blocks.length }
}

function closes(blocks: readonly Block[], at: number): boolean {
  const next = blocks[at + 1]
  return next === undefined || next.role === 'user'
}

function resultsAfter(blocks: readonly Block[], at: number): Block[] {
  const results: Block[] = []
  for (let i = at + 1; i < blocks.length; i += 1) {
    const block = blocks[i]
    if (block === undefined || (block.role !== 'tool-result' && block.role !== 'tool-error')) break
    results.push(block)
  }
  return results
}

function stepOf(at: number, call: ParsedCall, result: string, isError: boolean, missing = false): Step {
  const effect = toolEffect(call.name)
  const command = effect === 'shell' ? commandOf(call) : ''
  return {
    at,
    call,
    effect,
    command,
    touched: touchedFiles(call),
    result,
    outcome: outcomeOf({ effect, command, result, isError, missing }),
  }
}
