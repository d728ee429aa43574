import type { Fault } from '../domain/errors.ts'

/** Every fault of a configuration at once; main prints them and exits with 78. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
  readonly faults: readonly Fault[]

  constructor(faults: readonly Fault[]) {
    super(`The configuration has ${faults.length} fault${faults.length === 1 ? '' : 's'}`)
    this.faults = faults
  }
}
