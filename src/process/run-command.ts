import { type ParseArgsOptionsConfig, parseArgs } from 'node:util'
import { ConfigError } from '../config/config-error.ts'
import { RecapdError } from '../domain/errors.ts'
import { stackFrames } from '../requests/stack-frames.ts'
import { type Arguments, type Command, CommandError, EXIT, UsageError } from './commands/command.ts'
import { faultLines } from './commands/fault-lines.ts'
import { COMMANDS, usageText } from './commands/table.ts'

/** Runs what was typed after `recapd`. Whatever fails ends in lines on standard error and an exit code. */
export async function runCommand(words: readonly string[]): Promise<void> {
  const [name = 'serve', ...rest] = words
  if (name === 'help' || words.some((word) => word === '--help' || word === '-h')) return console.log(usageText())
  try {
    const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
    if (command === undefined) throw new UsageError(`${JSON.stringify(name)} is not a command`)
    const args = argumentsOf(command, rest)
    const run = await command.load()
    await run(args, interruptOf(name))
  } catch (error) {
    const { exitCode, lines } = failureOf(error)
    for (const line of lines) console.error(line)
    // Not by exitCode: a hook file may have left a timer running.
    process.exit(exitCode)
  }
}

function argumentsOf({ options, names: [least, most], usage }: Command, words: readonly string[]): Arguments {
  const config: ParseArgsOptionsConfig = { ...options }
  let parsed: { readonly values: Arguments['options']; readonly positionals: readonly string[] }
  try {
    parsed = parseArgs({ args: [...words], options: config, allowPositionals: true })
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message.split('. ')[0] : undefined)
  }
  const { values, positionals } = parsed
  if (positionals.length < least || positionals.length > most) throw new UsageError(`recapd ${usage}`)
  return { names: positionals, options: values }
}

/** The service drains on a signal by itself; every other command is simply given up. */
function interruptOf(name: string): AbortSignal {
  const controller = new AbortController()
  if (name !== 'serve') {
    process.once('SIGINT', () =>
      controller.abort(new CommandError(EXIT.interrupted, 'interrupted; nothing was written')),
    )
  }
  return controller.signal
}

function failureOf(error: unknown): { readonly exitCode: number; readonly lines: readonly string[] } {
  if (error instanceof UsageError) return { exitCode: EXIT.usage, lines: [`recapd: ${error.message}`, usageText()] }
  if (error instanceof ConfigError) {
    const faults = error.faults.map(({ path, message }) => `  ${path}: ${message}`)
    return { exitCode: EXIT.config, lines: [`${error.message}; nothing was started:`, ...faults] }
  }
  if (error instanceof CommandError) return { exitCode: error.exitCode, lines: [`recapd: ${error.message}`] }
  if (error instanceof RecapdError) return { exitCode: EXIT.data, lines: faultLines(error) }
  // A fault of ours: where it happened, and not its message, which may quote what was read.
  return { exitCode: 1, lines: ['recapd: this is a fault of recapd; please report it', stackFrames(error)] }
}
