import { createInterface } from 'node:readline/promises'
import { errnoOf } from '../../domain/errno-of.ts'
import { CLIENTS, DEFAULT_URL } from '../connect/clients.ts'
import { applyChange, connecting, disconnecting, type FileChange } from '../connect/connect.ts'
import { diffLines } from '../connect/diff-lines.ts'
import { SettingError } from '../connect/setting.ts'
import { type Arguments, CommandError, EXIT, type RunCommand, textOption, UsageError } from './command.ts'

/** `recapd connect CLIENT`: shows the change of the client's settings, then writes it. */
export const connectCommand: RunCommand = async (args, signal) => {
  const name = args.names[0] ?? ''
  const client = Object.hasOwn(CLIENTS, name) ? CLIENTS[name] : undefined
  if (client === undefined)
    throw new UsageError(`${JSON.stringify(name)} is not a client; known: ${Object.keys(CLIENTS).join(', ')}`)
  const isUndo = args.options['undo'] === true
  const file = client.file()
  const setting = client.setting(urlOf(args))
  const change = understood(file, () => (isUndo ? disconnecting : connecting)(name, { file, setting }))
  if (change.before === change.after) {
    console.log(`${file}: ${isUndo ? 'nothing to undo' : 'already connected'}`)
    return
  }
  for (const line of diffOf(change)) console.log(line)
  if (!(await isWanted(args, signal))) return console.log('nothing was written')
  understood(file, () => applyChange(name, change, isUndo))
  console.log(`${change.after === null ? 'removed' : 'wrote'} ${file}`)
  if (!isUndo && client.needs !== undefined) console.log(`recapd itself needs this setting: ${client.needs}`)
}

function urlOf(args: Arguments): string {
  const url = textOption(args, 'url') ?? DEFAULT_URL
  if (!/^https?:\/\/./.test(url) || !URL.canParse(url)) {
    throw new UsageError(`--url takes an address such as ${DEFAULT_URL}, not ${JSON.stringify(url)}`)
  }
  // bounded: one argument of the command line
  return url.replace(/\/+$/, '')
}

/** A file that cannot be read or written is named, and left as it is. */
function understood<Result>(file: string, work: () => Result): Result {
  try {
    return work()
  } catch (error) {
    const why = error instanceof SettingError ? error.message : errnoOf(error)
    if (why === undefined) throw error
    throw new CommandError(EXIT.data, `${file} was not touched: ${why}`)
  }
}

function diffOf({ file, before, after }: FileChange): readonly string[] {
  const heads = [`--- ${before === null ? '/dev/null' : file}`, `+++ ${after === null ? '/dev/null' : file}`]
  return [...heads, ...diffLines(before ?? '', after ?? '')]
}

/** Asked where a person sits at the terminal; a script has made up its mind. */
async function isWanted({ options }: Arguments, signal: AbortSignal): Promise<boolean> {
  if (options['yes'] === true || !process.stdin.isTTY || !process.stdout.isTTY) return true
  const terminal = createInterface({ input: process.stdin, output: process.stdout })
  try {
    return /^y(es)?$/i.test((await terminal.question('Write it? [y/N] ', { signal })).trim())
  } finally {
    terminal.close()
  }
}
