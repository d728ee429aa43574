import { statSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { errnoOf } from '../../domain/errno-of.ts'
import { CommandError, countOption, EXIT, type RunCommand, textOption } from './command.ts'
import { progressLines } from './progress-lines.ts'
import { readInput } from './read-input.ts'
import { runEndpoint } from './run-endpoint.ts'

/** `recapd compact FILE`: what POST /compact answers. The file itself is only read. */
export const compactCommand: RunCommand = async (args, signal) => {
  const contextWindow = countOption(args, 'window')
  const keepRecentTokens = countOption(args, 'keep')
  const out = textOption(args, 'out')
  const [file = '-'] = args.names
  if (out !== undefined && isSameFile(file, out)) {
    throw new CommandError(EXIT.cannotWrite, `--out ${out} would overwrite the session; name another file`)
  }
  const input = await readInput(file)
  const { openPipelines } = await import('./open-pipelines.ts')
  const pipelines = await openPipelines()
  try {
    // Whoever types this wants it now: `force` is for lists what reason `manual` is for sessions.
    const settings = keepRecentTokens === undefined ? undefined : { keepRecentTokens }
    const parameters = { contextWindow, force: true, settings }
    const json = await runEndpoint(pipelines, { endpoint: 'compact', input, parameters, emit: progressLines() }, signal)
    if (keepRecentTokens !== undefined && JSON.parse(json).source !== 'pi') {
      console.error('note: --keep is for sessions of pi and omp; what a list keeps depends on its window (--window)')
    }
    if (out === undefined) process.stdout.write(`${json}\n`)
    else await writeResult(out, json)
  } finally {
    await pipelines.close()
  }
}

/** Also by another name: a link, or another way to write the path. */
function isSameFile(one: string, other: string): boolean {
  const [first, second] = [one, other].map((name) => statSync(name, { throwIfNoEntry: false }))
  return first !== undefined && first.ino === second?.ino && first.dev === second.dev && first.isFile()
}

async function writeResult(name: string, json: string): Promise<void> {
  try {
    await writeFile(name, `${json}\n`)
  } catch (error) {
    throw new CommandError(EXIT.cannotWrite, `cannot write ${name}: ${errnoOf(error)}`)
  }
}
