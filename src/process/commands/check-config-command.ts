import { loadConfig } from '../../config/load-config.ts'
import { checkConfig } from '../check-config.ts'
import type { Run } from './command.ts'
import { asConfigFaults } from './config-faults.ts'

export const checkConfigCommand: Run = async () => {
  console.log(await asConfigFaults(async () => checkConfig(await loadConfig(process.env))))
  // A hook file may have left a timer running.
  process.exit()
}
