#!/usr/bin/env node
import { ConfigError, loadConfig } from './config/load-config.ts'
import { type Fault, RecapdError } from './domain/errors.ts'
import { checkConfig } from './process/check-config.ts'
import { serve } from './process/serve.ts'

/** Exit code of a bad configuration (sysexits EX_CONFIG). */
const EX_CONFIG = 78
const EX_USAGE = 64

const [command = 'serve', ...rest] = process.argv.slice(2)
try {
  if (rest.length > 0 || (command !== 'serve' && command !== 'check-config')) {
    console.error('usage: recapd [serve | check-config]')
    process.exitCode = EX_USAGE
  } else {
    const config = await loadConfig(process.env)
    if (command === 'serve') await serve(config)
    else {
      console.log(await checkConfig(config))
      // A hook file may have left a timer running.
      process.exit()
    }
  }
} catch (error) {
  const faults = configFaults(error)
  if (faults === null) throw error
  console.error(`${(error as Error).message}; nothing was started:`)
  for (const { path, message } of faults) console.error(`  ${path}: ${message}`)
  // Not by exitCode, for the same reason.
  process.exit(EX_CONFIG)
}

/** What the operator has to mend: the configuration itself, or the prompts and hooks it names. */
function configFaults(error: unknown): readonly Fault[] | null {
  if (error instanceof ConfigError) return error.faults
  return error instanceof RecapdError ? (error.extras.errors ?? null) : null
}
