import { isRecord } from '../is-record.ts'
import { parseJson } from '../parse-json.ts'
import type { Call, PathUse, ToolKind } from './conversation.ts'
import { commandsOf, type ShellCommand } from './shell/command-family.ts'
import { callCommand } from './tools/call-command.ts'
import { callPaths } from './tools/call-paths.ts'
import { toolKind } from './tools/tool-kinds.ts'

type Arguments = Readonly<Record<string, unknown>>

export interface CallSource {
  readonly id: string
  readonly name: string
  /** An object, JSON text of one, or what the tool takes instead (a patch). */
  readonly arguments: unknown
}

/** A call read by the one table of tools. Arguments, paths and command are worked out when first asked for: most never are. */
export function callOf(source: CallSource): Call {
  return new ReadCall(source)
}

const NO_COMMANDS: readonly ShellCommand[] = []

class ReadCall implements Call {
  readonly kind = 'call'
  readonly id: string
  readonly name: string
  readonly tool: ToolKind
  readonly #source: unknown
  #arguments: Arguments | undefined
  #paths: readonly PathUse[] | undefined
  #command: string | undefined
  #commands: readonly ShellCommand[] | undefined

  constructor({ id, name, arguments: source }: CallSource) {
    this.id = id
    this.name = name
    this.tool = toolKind(name)
    this.#source = source
  }

  get arguments(): Arguments {
    this.#arguments ??= argumentsOf(this.#source)
    return this.#arguments
  }

  get command(): string {
    this.#command ??= this.tool === 'run' ? callCommand(this.arguments) : ''
    return this.#command
  }

  get commands(): readonly ShellCommand[] {
    this.#commands ??= this.command === '' ? NO_COMMANDS : commandsOf(this.command)
    return this.#commands
  }

  get paths(): readonly PathUse[] {
    this.#paths ??= callPaths(this, this.arguments)
    return this.#paths
  }
}

/** A bare string is what apply_patch-like tools take; it stands under `input`. */
function argumentsOf(source: unknown): Arguments {
  if (isRecord(source)) return source
  if (typeof source !== 'string') return Array.isArray(source) ? { input: source } : {}
  const text = source.trim()
  if (text === '') return {}
  if (text.startsWith('{')) {
    const parsed = parseJson(text)
    // Cut or not JSON: read as what it is.
    if (isRecord(parsed)) return parsed
  }
  return { input: source }
}

/** Files that a call modified, moved ones at both ends; those it deleted are among them. */
export function modifiedPaths(call: Call): string[] {
  return [
    ...new Set(
      call.paths.flatMap(({ path, use, to }) => (use === 'read' ? [] : to === undefined ? [path] : [path, to])),
    ),
  ]
}

export function readPaths(call: Call): string[] {
  return call.paths.flatMap(({ path, use }) => (use === 'read' ? [path] : []))
}
