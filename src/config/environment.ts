import type { Fault } from '../domain/errors.ts'
import { isRecord } from '../domain/is-record.ts'

/** Environment variables as the configuration reads them: `X` or, for secrets mounted as files, `X_FILE`. */
export interface Environment {
  get(name: string): string | undefined
  /** Faults met so far: both forms set, a file that cannot be read. */
  readonly faults: Fault[]
  /** Files that `X_FILE` variables named and that were asked for. */
  secretFiles(): readonly string[]
  /** Variables of ours by their name that nothing has asked for: a misspelled setting would be ignored in silence. */
  unread(): readonly string[]
}

/** What Kubernetes and Docker links put beside the variables that were meant. */
// bounded: the name of an environment variable
const INJECTED = /_SERVICE_(?:HOST|PORT)|_PORT_\d+_(?:TCP|UDP)\w*$/
const INJECTED_VALUE = /^(?:tcp|udp|sctp):\/\//

export function readEnvironment(
  variables: Readonly<Record<string, string | undefined>>,
  readFile: (path: string) => string,
): Environment {
  const faults: Fault[] = []
  const asked = new Set<string>()
  const files = new Map<string, string | undefined>()

  function fromFile(name: string): string | undefined {
    if (files.has(name)) return files.get(name)
    let text: string | undefined
    try {
      // One trailing newline is an editor's habit, not a part of the secret.
      text = readFile(variables[name] ?? '').replace(/\r?\n$/, '')
    } catch {
      faults.push({
        path: name,
        message: 'names a file that cannot be read; set it to a readable file or leave it out',
      })
    }
    files.set(name, text)
    return text
  }

  return {
    faults,
    secretFiles: () => Array.from(files.keys(), (name) => variables[name] ?? ''),
    unread: () =>
      Object.keys(variables)
        .filter((name) => name.startsWith('RECAPD_') && !asked.has(name))
        .filter((name) => !INJECTED.test(name) && !INJECTED_VALUE.test(variables[name] ?? ''))
        .sort(),
    get(name) {
      asked.add(name).add(`${name}_FILE`)
      const plain = variables[name]
      const fileName = `${name}_FILE`
      if (variables[fileName] === undefined || variables[fileName] === '') return plain
      if (plain !== undefined) {
        if (!faults.some((fault) => fault.path === name)) {
          faults.push({ path: name, message: `is set together with ${fileName}; keep one of the two` })
        }
        return plain
      }
      return fromFile(fileName)
    },
  }
}

// bounded: one text of the operator's own configuration
const REFERENCE = /\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}/g

/** Replaces `${NAME}` and `${NAME:-default}` in every text of a parsed file; an unset name without a default is a fault. */
export function interpolated(
  fields: Readonly<Record<string, unknown>>,
  environment: Environment,
  path = '',
): Record<string, unknown> {
  const within = (key: string) => (path === '' ? key : `${path}.${key}`)
  return Object.fromEntries(
    Object.entries(fields).map(([key, value]) => [key, interpolatedValue(value, environment, within(key))]),
  )
}

function interpolatedValue(value: unknown, environment: Environment, path: string): unknown {
  if (typeof value === 'string') {
    return value.replace(REFERENCE, (_, name: string, fallback: string | undefined) => {
      const found = environment.get(name)
      if (fallback !== undefined) return found === undefined || found === '' ? fallback : found
      if (found === undefined) {
        environment.faults.push({
          path,
          message: `needs the environment variable ${name}, which is not set (\${${name}:-default} would not)`,
        })
        return ''
      }
      return found
    })
  }
  if (Array.isArray(value)) return value.map((item, at) => interpolatedValue(item, environment, `${path}.${at}`))
  return isRecord(value) ? interpolated(value, environment, path) : value
}
