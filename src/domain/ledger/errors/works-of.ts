import { modifiedPaths } from '../../conversation/call.ts'
import { type ShellCommand, workingCommands } from '../../conversation/shell/command-family.ts'
import type { Act } from '../timeline.ts'

/** What a command or a call worked at, so that a later one can be recognised as the same work, a wider or a narrower one. */
export interface Work {
  /** `test`, `git push`, `edit`, `tool web_fetch get`. */
  readonly family: string
  /** Paths, packages, branches after the command. */
  readonly targets: readonly string[]
  /** Directory or package it was confined to; '' for none. */
  readonly scope: string
  readonly isLooking: boolean
  readonly changes: boolean
  /** The command or the call in few words. */
  readonly text: string
}

const PLAIN = { targets: [], scope: '', isLooking: false, changes: false } as const
const ALIASES: Readonly<Record<string, string>> = {
  'docker-compose': 'docker compose',
  pip3: 'pip',
  python: 'python3',
  py: 'python3',
}
/** Scripts typed on the spot are tries: the next one of their kind takes their place. */
const INLINE =
  /^(?:python3?|node|ruby|perl|bash|sh|deno|bun|tsx|ts-node|php|osascript) (?:-[ec]\b|-$|- |<<|--eval|--input-type)/
const ACTIONS = ['action', 'operation', 'command', 'method', 'type'] as const
const ONLY_SHOWS = /^(?:list|status|show|get|view|info|describe|log|logs|check|help|version)$/i
const CONFIG =
  /(?:^|\/)(?:tsconfig[\w.-]*|package|pyproject|vitest\.config|jest\.config)\.\w{2,5}$|^\.$|^\.\/\.\.\.$|^\d+$/
/** Words of a runner that say what to do and not on what. */
const VERB = /^(?:run|test|tests|watch|exec|start|check|build|ci)$/
const LONGEST_TEXT = 160
/** Commands of one line, and targets of one command, that are compared with those of others. */
const MOST_COMMANDS = 40
const MOST_TARGETS = 40

/** The parts of a call's work in their order; empty for calls that only look around. */
export function worksOf({ call }: Act): readonly Work[] {
  if (call.tool === 'run') return shellWorks(call.commands)
  if (call.tool === 'read' || call.tool === 'search') return []
  if (call.tool === 'edit' || call.tool === 'write') {
    const targets = modifiedPaths(call).slice(0, MOST_TARGETS)
    return [{ ...PLAIN, family: 'edit', targets, text: `${call.name} ${targets[0] ?? ''}`.trim() }]
  }
  const action = ACTIONS.map((name) => call.arguments[name]).find(
    (value) => typeof value === 'string' && value.length < 40,
  )
  const way = typeof action === 'string' ? action : ''
  const text = `${call.name} ${way}`.trim()
  return [{ ...PLAIN, family: `tool ${text}`, isLooking: ONLY_SHOWS.test(way), text }]
}

function shellWorks(all: readonly ShellCommand[]): readonly Work[] {
  const commands = workingCommands(all).slice(-MOST_COMMANDS)
  const logs = new Set(commands.flatMap(({ writesTo }) => writesTo))
  return commands.map((command, at) => ({
    family: familyOf(command),
    targets: command.targets.filter((target) => !CONFIG.test(target) && !VERB.test(target)).slice(0, MOST_TARGETS),
    scope: command.directory,
    // What reads the log that an earlier part of the line wrote looks at that part.
    isLooking: command.looks || (at > 0 && command.targets.some((target) => logs.has(target))),
    changes: command.changes,
    text: textOf(command),
  }))
}

function familyOf({ family, words, text }: ShellCommand): string {
  const [program = '', ...rest] = family.split(' ')
  if (INLINE.test(text) || text.includes('<<')) return `inline ${ALIASES[words[0] ?? ''] ?? words[0] ?? ''}`
  // A type check and a build find the same faults.
  if (family === 'check' || family === 'build') return 'build'
  return [ALIASES[program] ?? program, ...rest].join(' ')
}

function textOf({ text }: ShellCommand): string {
  const line = text.split('\n', 1)[0] ?? ''
  return line.length <= LONGEST_TEXT ? line : `${line.slice(0, LONGEST_TEXT - 1)}…`
}
