#!/usr/bin/env node
import { checkConfig } from './check-config.ts'
import { ConfigError, loadConfig } from './config.ts'
import { serve } from './serve.ts'

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
    if (command === 'check-config') console.log(checkConfig(config))
    else await serve(config)
  }
} catch (error) {
  if (!(error instanceof ConfigError)) throw error
  console.error(`${error.message}; nothing was started:`)
  for (const { path, message } of error.faults) console.error(`  ${path}: ${message}`)
  process.exitCode = EX_CONFIG
}
