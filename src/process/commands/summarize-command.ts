import type { Run } from './command.ts'
import { progressLines } from './progress-lines.ts'
import { readInput } from './read-input.ts'
import { summarizeWhole } from './summarize-whole.ts'

/** `recapd summarize FILE`: one summary of everything in it. */
export const summarizeCommand: Run = async (args, signal) => {
  const input = await readInput(args.names[0] ?? '-')
  const { openPipelines } = await import('./open-pipelines.ts')
  const pipelines = await openPipelines()
  try {
    const { summary } = await summarizeWhole(pipelines, { input, emit: progressLines() }, signal)
    process.stdout.write(`${summary}\n`)
  } finally {
    await pipelines.close()
  }
}
