import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { YAMLError } from 'yaml'
import { isRecord } from '../domain/is-record.ts'
import { ConfigError } from './config-error.ts'
import { type Environment, interpolated } from './environment.ts'

export interface ConfigFileText {
  readonly value: Record<string, unknown>
  /** Relative names in the file start here. */
  readonly folder: string
}

/** The file that `RECAPD_CONFIG` names, or an empty one. Rejects with ConfigError; of YAML faults with line and column. */
export async function readConfigFile(environment: Environment): Promise<ConfigFileText> {
  const name = environment.get('RECAPD_CONFIG')
  if (name === undefined || name === '') return { value: {}, folder: process.cwd() }
  const fault = (message: string) => new ConfigError([...environment.faults, { path: 'RECAPD_CONFIG', message }])
  let text: string
  try {
    text = readFileSync(name, 'utf8')
  } catch {
    throw fault(`names ${name}, which cannot be read; set it to a YAML or JSON file or leave it out`)
  }
  const whole =
    asJson(text) ?? (await asYaml(text, (where) => fault(`names ${name}, which is neither YAML nor JSON${where}`)))
  if (!isRecord(whole)) throw fault(`names ${name}, which does not hold a mapping at its top`)
  return { value: interpolated(whole, environment), folder: path.dirname(path.resolve(name)) }
}

/** Undefined for everything that YAML has to judge: what is no JSON, and JSON that names a member twice. */
function asJson(text: string): unknown {
  let members = 0
  try {
    const value: unknown = JSON.parse(text, (_key, each: unknown) => {
      if (isRecord(each)) members += Object.keys(each).length
      return each
    })
    // The strings of valid JSON before a colon.
    // bounded: every quote of what JSON.parse took is closed, so each string is read once
    const named = [...text.matchAll(/"(?:[^"\\]|\\.)*"(\s*:)?/g)].filter(([, colon]) => colon !== undefined)
    return named.length === members ? value : undefined
  } catch {
    return undefined
  }
}

/** JSON is YAML, too. Throws what `faultAt` makes of the place. */
async function asYaml(text: string, faultAt: (where: string) => ConfigError): Promise<unknown> {
  // Seventy modules that a process with another file, or none, does not need.
  const { parse, YAMLError } = await import('yaml')
  try {
    return parse(text) ?? {}
  } catch (error) {
    throw faultAt(error instanceof YAMLError ? placeOf(error) : '')
  }
}

/** Where and of what kind, in the parser's own words; not its message, which quotes the file and so perhaps a secret. */
function placeOf(error: YAMLError): string {
  const at = error.linePos?.[0]
  const what = error.code.toLowerCase().replaceAll('_', ' ')
  return at === undefined ? `: ${what}` : `: ${what} at line ${at.line}, column ${at.col}`
}
