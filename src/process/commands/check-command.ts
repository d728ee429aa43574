import { countOption, type RunCommand } from './command.ts'
import { readInput } from './read-input.ts'
import { runEndpoint } from './run-endpoint.ts'

/** `recapd check FILE`: what POST /check answers. Asks no model. */
export const checkCommand: RunCommand = async (args, signal) => {
  const contextWindow = countOption(args, 'window')
  const input = await readInput(args.names[0] ?? '-')
  const { openPipelines } = await import('./open-pipelines.ts')
  const pipelines = await openPipelines()
  try {
    const json = await runEndpoint(pipelines, { endpoint: 'check', input, parameters: { contextWindow } }, signal)
    process.stdout.write(`${json}\n`)
  } finally {
    await pipelines.close()
  }
}
