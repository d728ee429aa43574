import type { ParsedCall } from '../conversation/parse-calls.ts'
import { touchedFiles } from '../conversation/touched-files.ts'
import type { Block } from '../transcript/block.ts'

const INTERRUPTED = /^([\w.:/-]{1,120}): interrupted, no result$/

/**
 * The result of every call of one block, undefined for calls without one. Results stand in the order of the calls; empty
 * ones are left out of a transcript, then the named path decides; interrupted calls are named by a line of their own.
 */
export function pairResults(calls: readonly ParsedCall[], results: readonly Block[]): readonly (Block | undefined)[] {
  const interrupted = results.flatMap((result) => INTERRUPTED.exec(result.text)?.[1] ?? [])
  const open = new Set(calls)
  for (const name of interrupted) {
    const call = calls.findLast((each) => each.name === name && open.has(each))
    if (call !== undefined) open.delete(call)
  }
  const answers = interrupted.length === 0 ? results : results.filter((result) => !INTERRUPTED.test(result.text))
  const waiting = calls.filter((call) => open.has(call))
  const paired = new Map(
    waiting.map((call, i) => [
      call,
      answers.length >= waiting.length ? answers[i] : (named(call, answers) ?? answers[i]),
    ]),
  )
  return calls.map((call) => paired.get(call))
}

function named(call: ParsedCall, results: readonly Block[]): Block | undefined {
  const path = touchedFiles(call).modified[0]
  return path === undefined ? undefined : results.find((result) => result.text.slice(0, 600).includes(path))
}
