import { loadConfig } from '../../config/load-config.ts'
import { checkConfig } from '../check-config.ts'
import { probeProviders } from '../probe-providers.ts'
import type { RunCommand } from './command.ts'
import { asConfigFaults } from './config-faults.ts'

export const checkConfigCommand: RunCommand = async ({ options }) => {
  const config = await asConfigFaults(() => loadConfig(process.env))
  console.log(await asConfigFaults(() => checkConfig(config), config.secrets))
  if (options['probe'] === true) for (const line of await probeProviders(config)) console.log(line)
  // A hook file may have left a timer running.
  process.exit()
}
