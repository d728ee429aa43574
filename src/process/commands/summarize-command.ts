import type { RunCommand } from './command.ts'
import { progressLines } from './progress-lines.ts'
import { readInput } from './read-input.ts'
import { summarizeConversation } from './summarize-conversation.ts'
import { wholeConversation } from './whole-conversation.ts'

/** `recapd summarize FILE`: one summary of everything in it. */
export const summarizeCommand: RunCommand = async (args, signal) => {
  const input = await readInput(args.names[0] ?? '-')
  const { openPipelines } = await import('./open-pipelines.ts')
  const pipelines = await openPipelines()
  try {
    const conversation = await wholeConversation(pipelines, input, signal)
    const asked = { name: input.name, conversation, emit: progressLines() }
    const { summary } = await summarizeConversation(pipelines, asked, signal)
    process.stdout.write(`${summary}\n`)
  } finally {
    await pipelines.close()
  }
}
