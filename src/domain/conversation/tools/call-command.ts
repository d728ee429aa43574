import { isRecord } from '../../is-record.ts'

const COMMAND_ARGUMENTS = ['command', 'cmd', 'CommandLine', 'script', 'code', 'commands', 'input', 'action'] as const
const SHELL = /(?:^|\/)(?:ba|z|da|k)?sh$/
const FLAG = /^-[a-z]{0,2}c$/

/** The command line of a call that runs one: a string, words (`["bash", "-lc", "npm test"]` is its script), several commands. */
export function callCommand(args: Readonly<Record<string, unknown>>): string {
  for (const name of COMMAND_ARGUMENTS) {
    const value = args[name]
    if (typeof value === 'string' && value.trim() !== '') return value.trim()
    if (Array.isArray(value) && value.length > 0) {
      const words = value.map(String)
      return (name === 'commands' ? words.join('\n') : ofWords(words)).trim()
    }
    // Items of the Responses dialect hold `action: {command | commands}`.
    if (isRecord(value)) return callCommand(value)
  }
  return ''
}

function ofWords(words: readonly string[]): string {
  if (SHELL.test(words[0] ?? '') && FLAG.test(words[1] ?? '') && words[2] !== undefined) return words[2]
  return words.join(' ')
}
