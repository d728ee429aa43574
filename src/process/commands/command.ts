/** Exit codes as in sysexits.h: scripts that call recapd know them. */
export const EXIT = {
  usage: 64,
  data: 65,
  noInput: 66,
  unavailable: 69,
  cannotWrite: 73,
  config: 78,
  interrupted: 130,
} as const

/** What was written after a command's name, already sorted. */
export interface Arguments {
  readonly names: readonly string[]
  readonly options: Readonly<Record<string, unknown>>
}

export type RunCommand = (args: Arguments, signal: AbortSignal) => Promise<void>

export interface Command {
  /** What follows `recapd` in the usage. */
  readonly usage: string
  readonly says: string
  readonly options: Readonly<Record<string, { readonly type: 'string' | 'boolean' }>>
  /** How many names (files, a client) it takes. */
  readonly names: readonly [least: number, most: number]
  /** Loaded when it is called: a service that starts should not read what it never runs. */
  readonly load: () => Promise<RunCommand>
}

/** The call is wrong: the usage is shown. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** The call is right and cannot be carried out; the message says why in one line. */
export class CommandError extends Error {
  override readonly name = 'CommandError'
  readonly exitCode: number

  constructor(exitCode: number, message: string) {
    super(message)
    this.exitCode = exitCode
  }
}

/** An option that is a whole number of at least 1; absent: undefined. */
export function countOption({ options }: Arguments, name: string): number | undefined {
  const text = options[name]
  if (text === undefined) return undefined
  if (typeof text === 'string' && /^[1-9]\d{0,11}$/.test(text)) return Number(text)
  throw new UsageError(`--${name} takes a whole number of at least 1, not ${JSON.stringify(text)}`)
}

export function textOption({ options }: Arguments, name: string): string | undefined {
  const text = options[name]
  return typeof text === 'string' ? text : undefined
}
