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
  // Seventy modules that a process without a file does not need.
  const { parse: parseYaml, YAMLError } = await import('yaml')
  const whereOf = (error: unknown) => (error instanceof YAMLError ? placeOf(error) : '')
  let value: unknown
  try {
    value = parseYaml(text) // JSON is YAML
  } catch (error) {
    throw fault(`names ${name}, which is neither YAML nor JSON${whereOf(error)}`)
  }
  const whole = value ?? {}
  if (!isRecord(whole)) throw fault(`names ${name}, which does not hold a mapping at its top`)
  return { value: interpolated(whole, environment), folder: path.dirname(path.resolve(name)) }
}

/** Where and of what kind, in the parser's own words; not its message, which quotes the file and so perhaps a secret. */
function placeOf(error: YAMLError): string {
  const at = error.linePos?.[0]
  const what = error.code.toLowerCase().replaceAll('_', ' ')
  return at === undefined ? `: ${what}` : `: ${what} at line ${at.line}, column ${at.col}`
}
